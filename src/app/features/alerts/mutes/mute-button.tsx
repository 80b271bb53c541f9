import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Time } from '#app/ui/time.tsx'
import type { Mute } from '#contract/bff/alert-mute.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { MuteForm, type MuteFormProps } from './mute-form.tsx'

type MuteButtonProps = {
  profiles: MuteFormProps['profiles']
  names: MuteFormProps['names']
  /** Name of the muted thing for screen readers, if there are several buttons. */
  subject: string
  /** All that are muted now, where a list beside the button shows them. */
  mutes?: readonly Mute[]
}

/** Asks for a victim or an actor of which a profile is not to notify, until when, and why. Nothing where there is none. */
export function MuteButton({ profiles, names, subject, mutes }: MuteButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [muted, setMuted] = useState<Mute | null>(null)
  if (profiles.length === 0 || names?.length === 0) return null
  const isStillMuted = muted !== null && (!mutes || mutes.some(({ id }) => id === muted.id))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        aria-label={`Mute… ${visibleLine(subject)}`}
        className="max-sm:h-11"
        onClick={() => setIsOpen(true)}
      >
        Mute…
      </Button>
      {isStillMuted && (
        <span role="status" className="text-muted text-xs">
          Muted
          {muted.until !== null && (
            <>
              {' '}
              until <Time at={muted.until} />
            </>
          )}
        </span>
      )}
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Mute matches" size="small">
        <MuteForm
          profiles={profiles}
          names={names}
          onMuted={(mute) => {
            setMuted(mute)
            setIsOpen(false)
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </div>
  )
}
