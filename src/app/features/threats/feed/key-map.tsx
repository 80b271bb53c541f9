import { type KeyLine, KeysDialog } from '#app/ui/keys-dialog.tsx'

const TRIAGE_KEYS: readonly KeyLine[] = [
  { keys: ['r'], label: 'Read, or unread' },
  { keys: ['a'], label: 'Take the case, or release it' },
  { keys: ['Shift a'], label: 'Assign the case' },
  { keys: ['s'], label: 'Star, or unstar' },
  { keys: ['c'], label: 'Close the case, or reopen it' },
  { keys: ['n'], label: 'Add a comment' },
  { keys: ['z'], label: 'Undo the last of these' },
]

const KEYS: Readonly<Record<'feed' | 'threat', readonly KeyLine[]>> = {
  feed: [
    { keys: ['j', '↓'], label: 'Next threat' },
    { keys: ['k', '↑'], label: 'Previous threat' },
    { keys: ['Enter'], label: 'Open the threat' },
    { keys: ['x'], label: 'Select or unselect' },
    { keys: ['Shift x'], label: 'The same for all from the last selected' },
    ...TRIAGE_KEYS,
    { keys: ['/'], label: 'Go to Search' },
    { keys: ['Esc'], label: 'Leave the search, a list or a dialog' },
    { keys: ['?'], label: 'Show these keys' },
  ],
  threat: [
    { keys: ['j'], label: 'Next threat' },
    { keys: ['k'], label: 'Previous threat' },
    ...TRIAGE_KEYS,
    { keys: ['Esc'], label: 'Back to the threats' },
    { keys: ['?'], label: 'Show these keys' },
  ],
}

type KeyMapProps = { page: keyof typeof KEYS; isOpen: boolean; onClose(): void }

export function KeyMap({ page, ...dialog }: KeyMapProps) {
  return <KeysDialog title="Keyboard shortcuts" lines={KEYS[page]} {...dialog} />
}
