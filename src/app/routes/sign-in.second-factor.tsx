import { createFileRoute } from '@tanstack/react-router'
import { EnrolFirst } from '#app/features/factors/enrol-first.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { LanternMark } from '#app/ui/lantern-mark.tsx'
import { readOwnPath } from '#contract/bff/own-path.ts'

const HOME = '/'

/** Sign-in leads here whoever needs a second factor and has none. The rest of sign-in is HTML that the BFF writes. */
export const Route = createFileRoute('/sign-in/second-factor')({
  validateSearch: ({ redirect }: Record<string, unknown>): { redirect?: string } =>
    typeof redirect === 'string' ? { redirect } : {},
  component: SecondFactorPage,
})

function SecondFactorPage() {
  const { redirect = HOME } = Route.useSearch()
  const navigate = Route.useNavigate()

  return (
    <main className="grid min-h-dvh place-items-center p-4 pb-24">
      <DocumentTitle title="Set up a second factor" />
      <div className="w-full max-w-88">
        <div className="mb-6 grid justify-items-center gap-3 text-center">
          <LanternMark className="size-9" />
          <h1 className="font-semibold text-xl tracking-tight">Set up a second factor</h1>
        </div>
        <div className="rounded-xl border border-line bg-surface p-5 shadow-raised">
          <EnrolFirst onDone={() => navigate({ href: readOwnPath(redirect) ?? HOME, replace: true })} />
        </div>
      </div>
    </main>
  )
}
