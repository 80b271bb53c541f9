import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import * as z from 'zod/mini'
import { sendJson } from '#app/api/send-json.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { ThemeChoice } from '#app/ui/theme-choice.tsx'
import type { Session } from '#contract/bff/session.ts'
import { signedOutSchema } from '#contract/bff/sign-out.ts'

type AccountPanelProps = { user: Session['user']; onChooseZone(): void; onSignedOut(address: string): void }

export function AccountPanel({ user: { name, email, role }, onChooseZone, onSignedOut }: AccountPanelProps) {
  const timeZone = useTimeZone()
  const signOut = useMutation({
    mutationFn: (everywhere: boolean) =>
      sendJson('sign-out', z.optional(signedOutSchema), { body: { everywhere } }),
    // The provider leads back to the sign-in page.
    onSuccess: (answer) => onSignedOut(answer?.leaveAt ?? '/sign-in'),
  })

  return (
    <>
      <div className="grid gap-0.5 border-line border-b px-3 py-2.5">
        <p className="truncate font-medium text-sm">{name || email}</p>
        <p className="truncate text-faint text-xs">{email}</p>
        <p className="text-faint text-xs first-letter:uppercase">{role}</p>
      </div>
      <div className="grid gap-1 border-line border-b p-1">
        <ThemeChoice />
        <Link
          to="/settings"
          onClick={(event) => closePopoverOf(event.currentTarget)}
          className="flex h-8 items-center gap-2 rounded-md px-2 hover:bg-hover max-sm:h-11"
        >
          <Icon name="settings" className="size-4 text-muted" />
          Settings
        </Link>
        <AccountItem
          icon="globe"
          onClick={(event) => {
            // First, so that the focus comes back to the account button and not to an item that is gone.
            closePopoverOf(event.currentTarget)
            onChooseZone()
          }}
        >
          Time zone <span className="ml-auto truncate text-faint text-xs">{timeZone}</span>
        </AccountItem>
      </div>
      <div className="p-1">
        <AccountItem icon="sign-out" disabled={signOut.isPending} onClick={() => signOut.mutate(false)}>
          Sign out
        </AccountItem>
        <AccountItem icon="lock" disabled={signOut.isPending} onClick={() => signOut.mutate(true)}>
          Sign out everywhere
        </AccountItem>
        <ActionError error={signOut.error} not="signed out" className="px-2 py-1" />
      </div>
    </>
  )
}

function AccountItem({ icon, children, ...rest }: ComponentProps<'button'> & { icon: IconName }) {
  return (
    <button
      type="button"
      className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover disabled:opacity-55 max-sm:h-11"
      {...rest}
    >
      <Icon name={icon} className="size-4 text-muted" />
      {children}
    </button>
  )
}
