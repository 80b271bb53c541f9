import { createFileRoute, Link } from '@tanstack/react-router'
import { AuditView } from '#app/features/audit/audit-view.tsx'
import { ApiAccess } from '#app/features/keys/api-access.tsx'
import { ProfileTab } from '#app/features/settings/profile-tab.tsx'
import { readSettingsSearch } from '#app/features/settings/settings-search.ts'
import { SettingsView } from '#app/features/settings/settings-view.tsx'
import { UsersView } from '#app/features/users/users-view.tsx'

// No loader: its schemas would come with every first visit.
export const Route = createFileRoute('/settings/')({
  validateSearch: readSettingsSearch,
  component: SettingsPage,
})

function SettingsPage() {
  const { tab = 'profile', ...filter } = Route.useSearch()
  const navigate = Route.useNavigate()

  return (
    <SettingsView
      tab={tab}
      renderTab={(shown) => {
        if (shown === 'users') return <UsersView />
        if (shown === 'profile') return <ProfileTab />
        if (shown === 'api') return <ApiTab />
        return (
          <AuditView
            search={filter}
            onSearch={(change) => navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
          />
        )
      }}
    />
  )
}

function ApiTab() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ApiAccess />
      <p className="text-sm">
        <Link
          to="/settings/calls"
          className="rounded-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          All API calls
        </Link>{' '}
        <span className="text-muted">lists what the key’s calls went to.</span>
      </p>
    </div>
  )
}
