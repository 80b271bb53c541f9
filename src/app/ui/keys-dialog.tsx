import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Kbd } from './kbd.tsx'
import { changePreferences, usePreferences } from './preferences.ts'

export type KeyLine = { keys: readonly string[]; label: string }

type KeysDialogProps = {
  title: string
  lines: readonly KeyLine[]
  /** Content below the keys. */
  children?: ReactNode
  isOpen: boolean
  onClose(): void
}

/** Lists keys, and says whether single characters are among them. */
export function KeysDialog({ title, lines, children, isOpen, onClose }: KeysDialogProps) {
  const { hasLetterKeys } = usePreferences()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} size="small">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2.5">
        {lines.map(({ keys, label }) => (
          <div key={label} className="contents">
            <dt>{label}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {children}
      <label className="mt-4 flex items-center gap-2 border-line border-t pt-4">
        <input
          type="checkbox"
          className="size-4"
          checked={hasLetterKeys}
          onChange={(event) => changePreferences({ hasLetterKeys: event.target.checked })}
        />
        Keyboard shortcuts
      </label>
    </Dialog>
  )
}
