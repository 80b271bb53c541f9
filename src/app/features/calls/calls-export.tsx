import { ListExportDialog } from '#app/ui/export/list-export-dialog.tsx'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import { CALLS_MAX_COUNT, type LedgerCall } from '#contract/bff/call-ledger.ts'
import { OUTCOMES, REASONS } from './call-words.ts'

const COLUMNS: readonly ListColumn<LedgerCall>[] = [
  { id: 'at', label: 'When (UTC)', read: ({ at }) => at },
  { id: 'route', label: 'Route', read: ({ route }) => route },
  { id: 'set', label: 'API', read: ({ set }) => set },
  { id: 'why', label: 'Why', read: ({ priority }) => REASONS[priority] },
  { id: 'who', label: 'Requested by', read: ({ who }) => who },
  { id: 'outcome', label: 'Outcome', read: ({ outcome }) => OUTCOMES[outcome].label },
  { id: 'status', label: 'Status', read: ({ status }) => status },
  { id: 'took', label: 'Took (ms)', read: ({ durationMs }) => durationMs },
]

/** Saves the newest calls. */
export function CallsExport({ calls, onClose }: { calls: readonly LedgerCall[]; onClose(): void }) {
  return (
    <ListExportDialog
      one="call"
      list={{
        noun: 'calls',
        columns: COLUMNS,
        rows: calls,
        about: {},
        partialReason:
          calls.length < CALLS_MAX_COUNT ? null : `Only the newest ${CALLS_MAX_COUNT} calls are included.`,
      }}
      onClose={onClose}
    />
  )
}
