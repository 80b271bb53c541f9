import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SETTINGS_TABS, type SettingsTab } from './settings-search.ts'

/** A tab without `about` is for everybody. */
const TABS: Readonly<Record<SettingsTab, { label: string; about?: string }>> = {
  profile: { label: 'Profile' },
  api: { label: 'API access', about: 'Admins enter the API keys here and see what they can read.' },
  users: { label: 'Users', about: 'Admins add users here and change their roles.' },
  cases: {
    label: 'Cases',
    about:
      'Admins set here after how many hours a case is due, for each severity. The page of a threat says when its case is due, and by which rule.',
  },
  audit: { label: 'Audit log', about: 'Admins see here who changed what, and when.' },
}

type SettingsViewProps = {
  tab: SettingsTab
  /** Draws what stands under a tab. */
  renderTab(tab: SettingsTab): ReactNode
}

export function SettingsView({ tab, renderTab }: SettingsViewProps) {
  const { data: session } = useQuery(sessionOptions())
  if (!session) return null
  const isAdmin = session.user.role === 'admin'
  const shown = SETTINGS_TABS.filter((name) => isAdmin || !TABS[name].about)
  const isAllowed = shown.includes(tab)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={tab === 'profile' ? 'Settings' : `${TABS[tab].label} · Settings`} />
      <h1 className="font-semibold text-xl tracking-tight">Settings</h1>
      {(shown.length > 1 || !isAllowed) && (
        <nav
          aria-label="Settings"
          className="-mx-4 flex gap-1 overflow-x-auto border-line border-b px-4 text-sm sm:mx-0 sm:px-0"
        >
          {shown.map((name) => (
            <Link
              key={name}
              to="/settings"
              search={{ tab: name }}
              aria-current={name === tab ? 'page' : undefined}
              className="-mb-px flex h-9 max-sm:min-h-12 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {TABS[name].label}
            </Link>
          ))}
        </nav>
      )}
      {isAllowed ? (
        renderTab(tab)
      ) : (
        <EmptyState icon="lock" title={`Only admins see ${TABS[tab].label}`}>
          {TABS[tab].about} Ask one if you need something changed.
        </EmptyState>
      )}
    </div>
  )
}
