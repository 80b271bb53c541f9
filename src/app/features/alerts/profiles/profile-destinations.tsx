import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertDestinations } from '#contract/bff/alert.ts'
import { TestedRow } from '../deliveries/tested-row.tsx'

/** In a row: which kinds of addresses a profile has. */
export function destinationsInWords({ email, slack, teams }: AlertDestinations): string {
  const kinds = [
    email.length > 0 && countOf(email.length, 'email'),
    slack !== null && 'Slack',
    teams !== null && 'Teams',
  ]
  return kinds.filter((kind) => kind !== false).join(', ')
}

/** Each destination with its kind, and its name in requests: `email.0`, `slack`, `teams`. */
export function listDestinations({ email, slack, teams }: AlertDestinations) {
  return [
    ...email.map((address, at) => ({ kind: 'Email', name: `email.${at}`, address })),
    ...(slack === null ? [] : [{ kind: 'Slack', name: 'slack', address: slack }]),
    ...(teams === null ? [] : [{ kind: 'Teams', name: 'teams', address: teams }]),
  ]
}

type ProfileDestinationsProps = {
  destinations: AlertDestinations
  /** Content beside each destination, by its name: `email.0`, `slack`, `teams`. */
  toolOf?(name: string, address: string): ReactNode
}

/** All of them, masked as the server gives them. */
export function ProfileDestinations({ destinations, toolOf }: ProfileDestinationsProps) {
  const all = listDestinations(destinations)
  if (all.length === 0) return <span className="text-faint">None: it only counts</span>
  return (
    <ul className={`grid ${toolOf ? 'gap-1.5' : 'gap-0.5'}`}>
      {all.map(({ kind, name, address }) => (
        <li key={name}>
          <TestedRow test={toolOf?.(name, address)}>
            <span className="text-faint">{kind} </span>
            <Untrusted text={address} maxLength={120} clip="silent" isRaw />
          </TestedRow>
        </li>
      ))}
    </ul>
  )
}
