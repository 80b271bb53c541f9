import { Dialog } from '#app/ui/dialog.tsx'
import { Kbd } from '#app/ui/kbd.tsx'
import { changePreferences, usePreferences } from '#app/ui/preferences.ts'

const KEYS = [
  { keys: ['Ctrl K', '⌘ K'], label: 'Go to a page, actor, country or threat' },
  { keys: ['?'], label: 'Show the keys of a page' },
  { keys: ['←', '→'], label: 'On a chart: from day to day' },
  { keys: ['t'], label: 'On a chart: its table, or the chart again' },
  { keys: ['Tab'], label: 'Next control' },
  { keys: ['Esc'], label: 'Leave a dialog' },
] as const

/** On pages that have no keys of their own. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { hasLetterKeys } = usePreferences()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys on every page" size="small">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2.5">
        {KEYS.map(({ keys, label }) => (
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
      <p className="mt-3 text-muted">The threats have more: press ? there.</p>
      <label className="mt-4 flex items-center gap-2 border-line border-t pt-4">
        <input
          type="checkbox"
          checked={hasLetterKeys}
          onChange={(event) => changePreferences({ hasLetterKeys: event.target.checked })}
        />
        Single characters act as shortcuts
      </label>
    </Dialog>
  )
}
