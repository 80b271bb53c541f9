import { Dialog } from '#app/ui/dialog.tsx'
import { Kbd } from '#app/ui/kbd.tsx'
import { changePreferences, usePreferences } from '#app/ui/preferences.ts'

type KeyLine = { keys: readonly string[]; label: string }

const KEYS: Readonly<Record<'feed' | 'threat', readonly KeyLine[]>> = {
  feed: [
    { keys: ['j', '↓'], label: 'Next threat' },
    { keys: ['k', '↑'], label: 'Previous threat' },
    { keys: ['Enter'], label: 'Open the threat' },
    { keys: ['x'], label: 'Select or unselect' },
    { keys: ['Shift x'], label: 'The same for all from the last selected' },
    { keys: ['r'], label: 'Read, or unread' },
    { keys: ['s'], label: 'Star, or unstar' },
    { keys: ['d'], label: 'Dismiss, or restore' },
    { keys: ['n'], label: 'Add a note' },
    { keys: ['z'], label: 'Undo the last of these' },
    { keys: ['/'], label: 'Go to Search' },
    { keys: ['Esc'], label: 'Leave the search, a list or a dialog' },
    { keys: ['?'], label: 'Show these keys' },
  ],
  threat: [
    { keys: ['j'], label: 'Next threat' },
    { keys: ['k'], label: 'Previous threat' },
    { keys: ['r'], label: 'Read, or unread' },
    { keys: ['s'], label: 'Star, or unstar' },
    { keys: ['d'], label: 'Dismiss, or restore' },
    { keys: ['n'], label: 'Add a note' },
    { keys: ['z'], label: 'Undo the last of these' },
    { keys: ['Esc'], label: 'Back to the threats' },
    { keys: ['?'], label: 'Show these keys' },
  ],
}

type KeyMapProps = { page: keyof typeof KEYS; isOpen: boolean; onClose(): void }

export function KeyMap({ page, isOpen, onClose }: KeyMapProps) {
  const { hasLetterKeys } = usePreferences()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys of this page" size="small">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-y-2.5">
        {KEYS[page].map(({ keys, label }) => (
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
      <label className="mt-4 flex items-center gap-2 border-line border-t pt-4">
        <input
          type="checkbox"
          className="size-4"
          checked={hasLetterKeys}
          onChange={(event) => changePreferences({ hasLetterKeys: event.target.checked })}
        />
        Single characters act as shortcuts
      </label>
    </Dialog>
  )
}
