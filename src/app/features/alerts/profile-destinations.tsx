import { countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertDestinations } from '#contract/bff/alert.ts'

/** In a row: which kinds of addresses a profile has. */
export function destinationsInWords({ email, slack, teams }: AlertDestinations): string {
  const ways = [
    email.length > 0 && countOf(email.length, 'email'),
    slack !== null && 'Slack',
    teams !== null && 'Teams',
  ]
  return ways.filter((way) => way !== false).join(', ')
}

/** All of them, masked as the server gives them. */
export function ProfileDestinations({ destinations }: { destinations: AlertDestinations }) {
  const { email, slack, teams } = destinations
  const all = [
    ...email.map((address) => ({ way: 'Email', address })),
    ...(slack === null ? [] : [{ way: 'Slack', address: slack }]),
    ...(teams === null ? [] : [{ way: 'Teams', address: teams }]),
  ]
  if (all.length === 0) return <span className="text-faint">None: it only counts</span>
  return (
    <ul className="grid gap-0.5">
      {all.map(({ way, address }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: masked addresses can look the same
        <li key={index}>
          <span className="text-faint">{way} </span>
          <Untrusted text={address} maxLength={120} clip="silent" isRaw />
        </li>
      ))}
    </ul>
  )
}
