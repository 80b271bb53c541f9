import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Popover } from '#app/ui/popover.tsx'
import { AccountButton } from './account-button.tsx'
import { sessionOptions } from './session-options.ts'

// Not on the way to the first page: fetched when first opened.
const AccountPanel = lazy(async () => ({ default: (await import('./account-panel.tsx')).AccountPanel }))
const TimeZoneDialog = lazy(async () => ({
  default: (await import('#app/ui/time-zone-dialog.tsx')).TimeZoneDialog,
}))

type AccountMenuProps = { onSignedOut(): void }

/** Who is signed in, how they like to read, and the way out. */
export function AccountMenu({ onSignedOut }: AccountMenuProps) {
  const { data: session } = useQuery(sessionOptions())
  const [zoneDialog, setZoneDialog] = useState<'unused' | 'open' | 'closed'>('unused')

  if (!session) return null
  return (
    <>
      <Popover
        label="Account"
        align="end"
        className="w-72"
        renderTrigger={(props) => <AccountButton name={session.user.name || session.user.email} {...props} />}
      >
        <Suspense fallback={<div className="h-63" />}>
          <AccountPanel
            user={session.user}
            onChooseZone={() => setZoneDialog('open')}
            onSignedOut={onSignedOut}
          />
        </Suspense>
      </Popover>
      {zoneDialog !== 'unused' && (
        <Suspense>
          <TimeZoneDialog isOpen={zoneDialog === 'open'} onClose={() => setZoneDialog('closed')} />
        </Suspense>
      )}
    </>
  )
}
