import { Icon } from '#app/ui/icon.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { closeReason, type TriageState } from '#contract/bff/triage-state.ts'

type ThreatMarksProps = {
  state: TriageState | undefined
  /** It has taken the threat out of the list that it is shown in. */
  isUnmatched?: boolean
}

/** Shows the team's state of a threat before its title. */
export function ThreatMarks({ state, isUnmatched = false }: ThreatMarksProps) {
  if (!state) return null
  const { read, starred, closed, owner, notes } = state
  const spoken = [
    read && 'Read.',
    starred && 'Starred.',
    owner &&
      (owner.isMe
        ? 'Owned by you.'
        : `Owned by ${owner.name}${owner.isActive ? '' : ', whose account is inactive'}.`),
    closed && `Closed: ${closeReason(closed.reason)}.`,
    notes > 0 && 'Has comments.',
    isUnmatched && 'No longer matches.',
  ]
  return (
    <>
      {starred && <Icon name="star" className="size-3.5 fill-flame text-flame" />}
      {owner && (
        <Icon
          name="user"
          className={`size-3.5 ${owner.isActive ? (owner.isMe ? 'text-accent' : 'text-faint') : 'text-medium'}`}
        />
      )}
      {closed && <Icon name="ban" className="size-3.5 text-faint" />}
      {notes > 0 && <Icon name="note" className="size-3.5 text-faint" />}
      <VisuallyHidden>{spoken.filter(Boolean).join(' ')}</VisuallyHidden>
    </>
  )
}
