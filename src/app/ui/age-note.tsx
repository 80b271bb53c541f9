import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

type AgeNoteProps = {
  freshness: { fetchedAt: string; isStale: boolean; staleReason: string | null }
}

/** How old what is shown is; marked, with the reason, once it is not current. */
export function AgeNote({ freshness: { fetchedAt, isStale, staleReason } }: AgeNoteProps) {
  return (
    <span className={`text-xs ${isStale ? 'inline-flex items-center gap-1 text-medium' : 'text-faint'}`}>
      {isStale && <Icon name="clock" className="size-3.5" />}
      <span>
        as of <Time at={fetchedAt} show={isStale ? 'exact' : 'clock'} />
        {isStale && `, not current. ${staleReason ?? ''}`}
      </span>
    </span>
  )
}
