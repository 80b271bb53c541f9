import { type KeyLine, KeysDialog } from '#app/ui/keys-dialog.tsx'

const KEYS: readonly KeyLine[] = [
  { keys: ['Ctrl K', '⌘ K'], label: 'Go to a page, actor, country or threat' },
  { keys: ['?'], label: 'Show the keys of a page' },
  { keys: ['←', '→'], label: 'On a chart: from day to day' },
  { keys: ['t'], label: 'On a chart: its table, or the chart again' },
  { keys: ['Tab'], label: 'Next control' },
  { keys: ['Esc'], label: 'Leave a dialog' },
]

/** On pages that have no keys of their own. */
export function PageKeys(dialog: { isOpen: boolean; onClose(): void }) {
  return (
    <KeysDialog title="Keys on every page" lines={KEYS} {...dialog}>
      <p className="mt-3 text-muted">Press ? on Threats for more shortcuts.</p>
    </KeysDialog>
  )
}
