import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { sessionOptions } from './session-options.ts'

// Not on the way to the first page: fetched when first opened.
const AccountPanel = lazy(async () => ({ default: (await import('./account-panel.tsx')).AccountPanel }))
const TimeZoneDialog = lazy(async () => ({
  default: (await import('#app/ui/time-zone-dialog.tsx')).TimeZoneDialog,
}))

type AccountMenuProps = {
  /** The address that the browser opens next. */
  onSignedOut(address: string): void
}

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

function AccountButton({ name, ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <button
      type="button"
      aria-label={`${initialsOf(name)}, account of ${name}`}
      className="flex h-8 items-center gap-1 rounded-md px-1 text-muted hover:bg-hover hover:text-ink max-sm:h-11"
      {...rest}
    >
      <span
        aria-hidden="true"
        className="grid size-6 place-items-center rounded-full bg-accent/10 font-semibold text-2xs text-accent"
      >
        {initialsOf(name)}
      </span>
      <Icon name="chevron-down" className="size-3.5" />
    </button>
  )
}

function initialsOf(name: string): string {
  const words = name
    .split('@', 1)
    .join('')
    .split(/[\s._-]+/)
  const [first = '', ...rest] = words.filter(Boolean)
  return [first, rest.at(-1) ?? '']
    .map((word) => [...word].at(0) ?? '')
    .join('')
    .toUpperCase()
}
