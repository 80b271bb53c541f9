import { countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ListedCase } from '#contract/bff/threat-list.ts'

type CaseNoteProps = {
  of: ListedCase
  /** The facts that unread claims add to it; untrusted text. */
  news: string | undefined
  /** There is little room beside it on a narrow screen. */
  isShort: boolean
}

const NEWS_MAX_LENGTH = 80

/** How often the victim is claimed, by how many, and what of that is new to the team. */
export function CaseNote({ of, news, isShort }: CaseNoteProps) {
  const onWide = isShort ? '@max-2xl:sr-only' : undefined
  return (
    <span className="shrink-0 text-xs">
      {countOf(of.claimCount, 'claim')}
      {of.actorCount > 1 && <span className={onWide}> · {countOf(of.actorCount, 'group')}</span>}
      {news !== undefined && (
        <>
          {' · '}
          <span className="font-medium text-accent">
            New
            <span className={onWide}>
              : <Untrusted text={news} clip="silent" maxLength={NEWS_MAX_LENGTH} />
            </span>
          </span>
        </>
      )}
    </span>
  )
}
