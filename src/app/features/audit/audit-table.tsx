import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { WideSection } from '#app/ui/wide-section.tsx'
import type { AuditEvent } from '#contract/bff/audit.ts'
import { actionWords, changeLines } from './audit-words.ts'

const COLUMNS = ['When', 'Who', 'What', 'Of', 'Change', 'Address', 'Request'] as const

const GRID =
  'grid min-w-288 grid-cols-[13rem_minmax(0,3fr)_minmax(0,3fr)_minmax(0,3fr)_minmax(0,5fr)_minmax(0,2fr)_6.5rem]'

export function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return (
    <WideSection label="Audit events" className="border-line border-t">
      <table className="block text-sm [&_td]:min-w-0 [&_td]:px-4 [&_td]:py-1.5 [&_th]:px-4">
        <thead className="block border-line border-b text-left text-faint text-xs">
          <tr className={`${GRID} h-8 items-center`}>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line">
          {events.map((event) => (
            <AuditRow key={event.id} event={event} />
          ))}
        </tbody>
      </table>
    </WideSection>
  )
}

function AuditRow({ event }: { event: AuditEvent }) {
  const { at, actor, action, object, objectName, before, after, address, route, requestId } = event
  const isOwn = actor !== null && object === actor.id
  return (
    <tr className={`${GRID} [contain-intrinsic-size:auto_2rem] [content-visibility:auto]`}>
      <td className="whitespace-nowrap">
        <Time at={at} />
      </td>
      <td>
        {actor ? <ShortText text={actor.email ?? actor.id} /> : <span className="text-faint">unknown</span>}
      </td>
      <td title={route}>{actionWords(action)}</td>
      <td>
        {isOwn || !(objectName ?? object) ? (
          <span className="text-faint">{isOwn ? 'themselves' : '—'}</span>
        ) : (
          <ShortText text={objectName ?? object ?? ''} />
        )}
      </td>
      <td className="text-xs">
        <Change before={before} after={after} />
      </td>
      <td className="wrap-anywhere text-xs tabular-nums">{address ?? '—'}</td>
      <td className="whitespace-nowrap font-mono text-faint text-xs" title={requestId ?? undefined}>
        {requestId?.slice(0, 8) ?? '—'}
      </td>
    </tr>
  )
}

function ShortText({ text }: { text: string }) {
  return (
    <span className="block truncate">
      <Untrusted text={text} maxLength={80} clip="silent" isRaw />
    </span>
  )
}

function Change({ before, after }: Pick<AuditEvent, 'before' | 'after'>) {
  const lines = changeLines(before, after)
  if (lines.length === 0) return <span className="text-faint">—</span>
  return (
    <ul className="grid gap-0.5">
      {lines.map(({ name, from, to }) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-muted">
            <Untrusted text={name} maxLength={40} clip="silent" />:
          </span>{' '}
          {from !== null && (
            <>
              <Untrusted text={from} maxLength={120} clip="silent" /> <span aria-hidden="true">→</span>
              <span className="sr-only">became</span>{' '}
            </>
          )}
          {to === null ? (
            <span className="text-faint">nothing</span>
          ) : (
            <Untrusted text={to} maxLength={120} clip="silent" />
          )}
        </li>
      ))}
    </ul>
  )
}
