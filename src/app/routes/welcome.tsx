import { createFileRoute } from '@tanstack/react-router'
import { useOwnDomains } from '#app/features/lists/use-own-domains.tsx'
import { WelcomeFound } from '#app/features/settings/welcome-found.tsx'
import { WelcomeView } from '#app/features/settings/welcome-view.tsx'

/** The first sign-in of an account leads here, unless the person was going somewhere else. */
export const Route = createFileRoute('/welcome')({
  validateSearch: ({ show }: Record<string, unknown>): { show?: 'found' } =>
    show === 'found' ? { show } : {},
  component: WelcomePage,
})

function WelcomePage() {
  const { show } = Route.useSearch()
  return show === 'found' ? <WelcomeFound /> : <Questions />
}

function Questions() {
  const navigate = Route.useNavigate()
  const domains = useOwnDomains()
  return (
    <WelcomeView
      domains={domains}
      onSaved={(hasFindings) =>
        navigate(hasFindings ? { to: '/welcome', search: { show: 'found' } } : { to: '/' })
      }
      onSkipped={() => navigate({ to: '/' })}
    />
  )
}
