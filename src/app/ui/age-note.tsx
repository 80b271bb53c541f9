import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

type AgeNoteProps = {
  freshness: {
    fetchedAt: string
    isStale: boolean
    staleReason: string | null
    checked?: { from: string; at: string } | undefined
    coverage?: { status: string } | undefined
    change?: number | undefined
  }
}

/** Says when the shown data was fetched and which threats were compared with the vendor's list. Gives the reason if the data is not current, and only the reason if nothing was read. */
export function AgeNote({ freshness }: AgeNoteProps) {
  const { fetchedAt, isStale, staleReason, checked, coverage, change } = freshness
  // A store that was read has a last change.
  const isUnread = isStale && coverage?.status === 'none' && change === undefined
  return (
    <span className={`text-xs ${isStale ? 'inline-flex items-center gap-1 text-medium' : 'text-faint'}`}>
      {isStale && <Icon name="clock" className="size-3.5" />}
      <span>
        {isUnread ? (
          staleReason
        ) : (
          <>
            Updated <Time at={fetchedAt} show={isStale ? 'exact' : 'clock'} />
            {isStale && `, not current. ${staleReason ?? ''}`}
          </>
        )}
        {checked && (
          <>
            {isStale ? ' ' : '. '}
            Threats since <Time at={checked.from} show="day" /> were compared with the vendor{' '}
            <Time at={checked.at} show="age" />.
          </>
        )}
      </span>
    </span>
  )
}
