import { Untrusted } from '#app/ui/untrusted.tsx'

type QuotedKeywordsProps = { keywords: readonly string[]; maxCount?: number }

const KEYWORD_MAX_LENGTH = 60
const OUTER_QUOTES = /^["“”„]|["“”„]$/g

/** “acme”, “lock bit” and 3 more: in a sentence. */
export function QuotedKeywords({ keywords, maxCount = 5 }: QuotedKeywordsProps) {
  const shown = keywords.slice(0, maxCount)
  const more = keywords.length - shown.length
  return (
    <>
      {shown.map((keyword, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a keyword may stand twice
        <span key={index}>
          {index > 0 && (index === keywords.length - 1 ? ' and ' : ', ')}
          <span className="font-medium text-ink">
            “
            <Untrusted
              text={keyword.replace(OUTER_QUOTES, '')}
              maxLength={KEYWORD_MAX_LENGTH}
              clip="silent"
            />
            ”
          </span>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}
