import { createFileRoute } from '@tanstack/react-router'
import { CallLedgerView } from '#app/features/calls/call-ledger-view.tsx'

// No loader: it would carry the ledger's schema into the script of every first visit.
export const Route = createFileRoute('/settings/calls')({ component: CallLedgerView })
