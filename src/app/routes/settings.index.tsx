import { createFileRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ProfileTab } from '#app/features/settings/profile-tab.tsx'
import { readSettingsSearch } from '#app/features/settings/settings-search.ts'
import { SettingsView } from '#app/features/settings/settings-view.tsx'
import { FeedAddresses } from '#app/features/views/feed-addresses.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'

// Few users open these tabs, so each loads when it is opened.
const ApiAccess = lazy(async () => ({
  default: (await import('#app/features/keys/api-access.tsx')).ApiAccess,
}))
const UsersView = lazy(async () => ({
  default: (await import('#app/features/users/users-view.tsx')).UsersView,
}))
const DueTimesCard = lazy(async () => ({
  default: (await import('#app/features/cases/due-times-card.tsx')).DueTimesCard,
}))
const AuditView = lazy(async () => ({
  default: (await import('#app/features/audit/audit-view.tsx')).AuditView,
}))
// Below what one comes here for most.
const FactorsCard = lazyWhenIdle(
  async () => (await import('#app/features/factors/factors-card.tsx')).FactorsCard,
)
const SessionsCard = lazyWhenIdle(
  async () => (await import('#app/features/session/sessions-card.tsx')).SessionsCard,
)

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
        if (shown === 'profile') return <ProfileTab security={<Security />} />
        return (
          <Suspense fallback={<Skeleton className="h-96 w-full rounded-lg" />}>
            {shown === 'users' && <UsersTab />}
            {shown === 'api' && <ApiTab />}
            {shown === 'cases' && <DueTimesCard />}
            {shown === 'audit' && (
              <AuditView
                search={filter}
                onSearch={(change) => navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
              />
            )}
          </Suspense>
        )
      }}
    />
  )
}

function Security() {
  return (
    <Suspense fallback={<Skeleton className="h-48 w-full rounded-lg" />}>
      <FactorsCard />
      <SessionsCard />
    </Suspense>
  )
}

function UsersTab() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <UsersView />
      <FeedAddresses />
    </div>
  )
}

function ApiTab() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ApiAccess />
      <p className="text-sm">
        <Link
          to="/settings/calls"
          className="touch rounded-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          All API calls
        </Link>{' '}
        <span className="text-muted">lists what the key’s calls went to.</span>
      </p>
    </div>
  )
}
