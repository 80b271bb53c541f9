import type { Column } from '#app/ui/data-table.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import type { AuditEvent } from '#contract/bff/audit.ts'
import { actionWords, changeLines } from './audit-words.ts'

const COLUMNS: readonly Column<AuditEvent>[] = [
  { key: 'at', head: 'When', cellClassName: 'whitespace-nowrap', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'who',
    head: 'Who',
    cell: ({ actor }) =>
      actor ? <ShortText text={actor.email ?? actor.id} /> : <span className="text-faint">unknown</span>,
  },
  {
    key: 'what',
    head: 'What',
    cell: ({ action, route }) => <span title={route}>{actionWords(action)}</span>,
  },
  { key: 'of', head: 'Target', cell: (event) => <Subject event={event} /> },
  {
    key: 'change',
    head: 'Change',
    className: 'max-sm:col-span-2',
    cellClassName: 'text-xs',
    cell: (event) => <Change event={event} />,
  },
  {
    key: 'address',
    head: 'Address',
    className: 'max-sm:hidden',
    cellClassName: 'wrap-anywhere text-xs tabular-nums',
    cell: ({ address }) => address ?? '—',
  },
  {
    key: 'request',
    head: 'Request',
    className: 'max-sm:hidden',
    cellClassName: 'whitespace-nowrap font-mono text-faint text-xs',
    cell: ({ requestId }) => <span title={requestId ?? undefined}>{requestId?.slice(0, 8) ?? '—'}</span>,
  },
]

export function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return (
    <WideTable
      label="Audit events"
      frameClassName="border-line border-t"
      caption="Audit events, newest first"
      columns={COLUMNS}
      rows={events}
      rowKey={({ id }) => id}
      grid="grid grid-cols-2 sm:min-w-288 sm:grid-cols-[13rem_minmax(0,3fr)_minmax(0,3fr)_minmax(0,3fr)_minmax(0,5fr)_minmax(0,2fr)_6.5rem]"
      className="max-sm:[&>thead]:sr-only [&>thead>tr]:h-8 [&>thead>tr]:items-center [&_td]:min-w-0 [&_td]:px-4 [&_td]:py-1.5 max-sm:[&_td]:py-0.5 [&_th]:px-4"
      rowLook={() => 'max-sm:py-1 [contain-intrinsic-size:auto_2rem] [content-visibility:auto]'}
    />
  )
}

function Subject({ event: { actor, object, objectName } }: { event: AuditEvent }) {
  if (actor !== null && object === actor.id) return <span className="text-faint">own account</span>
  const name = objectName || object
  return name ? <ShortText text={name} /> : <span className="text-faint">—</span>
}

function ShortText({ text }: { text: string }) {
  return (
    <span className="block truncate">
      <Untrusted text={text} maxLength={80} clip="silent" isRaw />
    </span>
  )
}

function Change({ event: { before, after } }: { event: AuditEvent }) {
  const lines = changeLines(before, after)
  if (lines.length === 0) return <span className="text-faint">—</span>
  return (
    <ul className="grid gap-0.5">
      {lines.map(({ name, from, to }) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-muted">
            <Untrusted text={name} maxLength={60} clip="silent" />:
          </span>{' '}
          {from !== null && (
            <>
              <Untrusted text={from} maxLength={300} clip="silent" /> <span aria-hidden="true">→</span>
              <span className="sr-only">became</span>{' '}
            </>
          )}
          {to === null ? (
            <span className="text-faint">nothing</span>
          ) : (
            <Untrusted text={to} maxLength={300} clip="silent" />
          )}
        </li>
      ))}
    </ul>
  )
}
