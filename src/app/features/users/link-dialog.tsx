import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { Time } from '#app/ui/time.tsx'
import type { UserWithLink } from '#contract/bff/user.ts'

type LinkDialogProps = { made: UserWithLink | null; onClose(): void }

/** Shown once: nobody can read it again, only make another. */
export function LinkDialog({ made, onClose }: LinkDialogProps) {
  return (
    <Dialog isOpen={made !== null} onClose={onClose} title="One-time link">
      {made && (
        <div className="grid gap-3">
          <p>
            Send this to <strong className="wrap-anywhere font-medium">{made.user.email}</strong> by a way
            that only they read. Whoever opens it first sets the password. It works once, until{' '}
            <Time at={made.link.expiresAt} />, and is not shown again.
          </p>
          <div className="flex items-end gap-2">
            <TextField
              label="Link"
              readOnly
              value={made.link.url}
              data-first-focus
              onFocus={(event) => event.target.select()}
              className="flex-1 font-mono"
            />
            <CopyButton text={made.link.url} size="medium" />
          </div>
        </div>
      )}
    </Dialog>
  )
}
