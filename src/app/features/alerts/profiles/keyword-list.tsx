import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'

type KeywordListProps = { keywords: readonly string[]; maxCount?: number }

const KEYWORD_MAX_LENGTH = 80

/** A profile's keywords, as many as there is room for. */
export function KeywordList({ keywords, maxCount = Number.POSITIVE_INFINITY }: KeywordListProps) {
  const more = keywords.length - maxCount
  return (
    <ul className="flex min-w-0 flex-wrap gap-1">
      {keywords.slice(0, maxCount).map((keyword, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a keyword may stand twice
        <li key={index} className="min-w-0 max-w-full">
          <Badge>
            <Untrusted text={keyword} maxLength={KEYWORD_MAX_LENGTH} clip="silent" />
          </Badge>
        </li>
      ))}
      {more > 0 && <li className="text-faint text-xs leading-5">+{count(more)}</li>}
    </ul>
  )
}
