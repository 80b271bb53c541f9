import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertDestinations } from '#contract/bff/alert.ts'
import { TestedRow } from './deliveries/tested-row.tsx'

/** In a row: which kinds of addresses a profile has. */
export function destinationsInWords({ email, slack, teams }: AlertDestinations): string {
  const ways = [
    email.length > 0 && countOf(email.length, 'email'),
    slack !== null && 'Slack',
    teams !== null && 'Teams',
  ]
  return ways.filter((way) => way !== false).join(', ')
}

type ProfileDestinationsProps = {
  destinations: AlertDestinations
  /** What stands beside each, by its name: `email.0`, `slack`, `teams`. */
  toolOf?(name: string, address: string): ReactNode
}

/** All of them, masked as the server gives them. */
export function ProfileDestinations({ destinations, toolOf }: ProfileDestinationsProps) {
  const { email, slack, teams } = destinations
  const all = [
    ...email.map((address, at) => ({ way: 'Email', name: `email.${at}`, address })),
    ...(slack === null ? [] : [{ way: 'Slack', name: 'slack', address: slack }]),
    ...(teams === null ? [] : [{ way: 'Teams', name: 'teams', address: teams }]),
  ]
  if (all.length === 0) return <span className="text-faint">None: it only counts</span>
  return (
    <ul className={`grid ${toolOf ? 'gap-1.5' : 'gap-0.5'}`}>
      {all.map(({ way, name, address }) => (
        <li key={name}>
          <TestedRow test={toolOf?.(name, address)}>
            <span className="text-faint">{way} </span>
            <Untrusted text={address} maxLength={120} clip="silent" isRaw />
          </TestedRow>
        </li>
      ))}
    </ul>
  )
}
