import { createFileRoute } from '@tanstack/react-router'
import { WelcomeView } from '#app/features/settings/welcome-view.tsx'

/** The first sign-in of an account leads here, unless the person was going somewhere else. */
export const Route = createFileRoute('/welcome')({ component: WelcomePage })

function WelcomePage() {
  const navigate = Route.useNavigate()
  const openOverview = () => navigate({ to: '/' })
  return <WelcomeView domains={null} onSaved={openOverview} onSkipped={openOverview} />
}
