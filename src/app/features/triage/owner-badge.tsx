import { Badge } from '#app/ui/badge.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import type { TriageState } from '#contract/bff/triage-state.ts'

const NAME_MAX_LENGTH = 40

/** Names the person of the team who deals with a case, and says if nobody does because they cannot act any more. */
export function OwnerBadge({
  owner: { name, isMe, isActive },
  isNamed = false,
}: {
  owner: NonNullable<TriageState['owner']>
  /** Names the reader too: others read the same page. */
  isNamed?: boolean
}) {
  return (
    <>
      <Badge tone={isMe ? 'accent' : 'neutral'}>
        {isMe && !isNamed ? 'Mine' : <PersonName name={name} maxLength={NAME_MAX_LENGTH} />}
      </Badge>
      {!isActive && <Badge tone="warning">Account inactive</Badge>}
    </>
  )
}
