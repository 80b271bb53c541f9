import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

type AgeNoteProps = {
  freshness: {
    fetchedAt: string
    isStale: boolean
    staleReason: string | null
    checked?: { from: string; at: string } | undefined
  }
}

/** How old what is shown is, and which records were compared with the source's list; marked, with the reason, once it is not current. */
export function AgeNote({ freshness: { fetchedAt, isStale, staleReason, checked } }: AgeNoteProps) {
  return (
    <span className={`text-xs ${isStale ? 'inline-flex items-center gap-1 text-medium' : 'text-faint'}`}>
      {isStale && <Icon name="clock" className="size-3.5" />}
      <span>
        as of <Time at={fetchedAt} show={isStale ? 'exact' : 'clock'} />
        {isStale && `, not current. ${staleReason ?? ''}`}
        {checked && (
          <>
            , checked <Time at={checked.at} show="age" /> back to <Time at={checked.from} show="day" />
          </>
        )}
      </span>
    </span>
  )
}
