import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { sendJson } from '#app/api/send-json.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { ThemeChoice } from '#app/ui/theme-choice.tsx'
import { TimeZoneDialog } from '#app/ui/time-zone-dialog.tsx'
import { AccountButton } from './account-button.tsx'
import { sessionOptions } from './session-options.ts'

type AccountMenuProps = { onSignedOut(): void }

const ITEM =
  'flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover aria-disabled:opacity-55 max-sm:h-10'

/** Who is signed in, how they like to read, and the way out. */
export function AccountMenu({ onSignedOut }: AccountMenuProps) {
  const { data: session } = useQuery(sessionOptions())
  const timeZone = useTimeZone()
  const [isChoosingZone, setIsChoosingZone] = useState(false)
  const signOut = useMutation({
    mutationFn: (everywhere: boolean) => sendJson('sign-out', z.undefined(), { body: { everywhere } }),
    onSuccess: onSignedOut,
  })

  if (!session) return null
  const { name, email, role } = session.user
  return (
    <>
      <Popover
        label="Account"
        align="end"
        className="w-72"
        renderTrigger={(props) => <AccountButton name={name || email} {...props} />}
      >
        <div className="grid gap-0.5 border-line border-b px-3 py-2.5">
          <p className="truncate font-medium text-sm">{name || email}</p>
          <p className="truncate text-faint text-xs">{email}</p>
          <p className="text-faint text-xs first-letter:uppercase">{role}</p>
        </div>
        <div className="grid gap-1 border-line border-b p-1">
          <ThemeChoice />
          <button type="button" className={ITEM} onClick={() => setIsChoosingZone(true)}>
            <Icon name="globe" className="size-4 text-muted" />
            Time zone
            <span className="ml-auto truncate text-faint text-xs">{timeZone}</span>
          </button>
        </div>
        <div className="p-1">
          <button
            type="button"
            className={ITEM}
            aria-disabled={signOut.isPending}
            onClick={() => signOut.mutate(false)}
          >
            <Icon name="sign-out" className="size-4 text-muted" />
            Sign out
          </button>
          <button
            type="button"
            className={ITEM}
            aria-disabled={signOut.isPending}
            onClick={() => signOut.mutate(true)}
          >
            <Icon name="lock" className="size-4 text-muted" />
            Sign out everywhere
          </button>
          {signOut.error && (
            <p role="alert" className="px-2 py-1 text-critical text-xs">
              Not signed out: {signOut.error.message}
            </p>
          )}
        </div>
      </Popover>
      <TimeZoneDialog isOpen={isChoosingZone} onClose={() => setIsChoosingZone(false)} />
    </>
  )
}
