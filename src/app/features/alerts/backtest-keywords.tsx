import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Backtest, KeywordShare } from '#contract/bff/alert.ts'
import { FLAG_WORDS } from './flag-words.ts'

type BacktestKeywordsProps = { backtest: Backtest; onRemove(keyword: string): void }

const HEAD = 'px-2 py-1.5 font-medium text-faint'
const FIGURE = 'px-2 py-1.5 text-right align-top tabular-nums'

/** What each keyword is worth: its matches, those that it alone brings, and what is odd about it. */
export function BacktestKeywords({ backtest: { keywords, matches }, onRemove }: BacktestKeywordsProps) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">What each word brings</caption>
      <thead className="border-line border-b text-xs">
        <tr>
          <th scope="col" className={`${HEAD} pl-4 text-left`}>
            Keyword
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            Matches
          </th>
          <th scope="col" className={`${HEAD} text-right`} title="Matches that no other keyword has">
            Alone
          </th>
          <th scope="col" className="w-10">
            <span className="sr-only">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {keywords.map((share, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a keyword may stand twice, and its place tells it apart
          <tr key={index}>
            <th scope="row" className="min-w-0 px-2 py-1.5 pl-4 text-left align-top font-normal">
              <KeywordName share={share} />
            </th>
            <td className={FIGURE}>
              {count(share.matches)}
              <ShareBar part={share.matches} whole={matches} />
            </td>
            <td className={`${FIGURE} text-muted`}>{count(share.alone)}</td>
            <td className="pr-2 align-top">
              <IconButton
                icon="x"
                label={`Drop keyword ${index + 1}`}
                onClick={() => onRemove(share.keyword)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function KeywordName({ share: { keyword, understoodAs, flags } }: { share: KeywordShare }) {
  const isRead = understoodAs !== null && understoodAs !== keyword.toLowerCase()
  return (
    <div className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 break-words">
          <Untrusted text={keyword} maxLength={80} clip="silent" />
        </span>
        {flags.map((flag) => (
          <Badge key={flag} tone={FLAG_WORDS[flag].isTrouble ? 'warning' : 'neutral'}>
            {FLAG_WORDS[flag].short}
          </Badge>
        ))}
      </span>
      {isRead && (
        <span className="text-faint text-xs">
          read as <Untrusted text={understoodAs} maxLength={80} clip="silent" />
        </span>
      )}
      {flags.map((flag) => (
        <span key={flag} className="text-muted text-xs">
          {FLAG_WORDS[flag].long}
        </span>
      ))}
    </div>
  )
}

function ShareBar({ part, whole }: { part: number; whole: number }) {
  const share = whole === 0 ? 0 : Math.min(1, part / whole)
  return (
    <span aria-hidden="true" className="mt-1 ml-auto block h-1 w-16 overflow-hidden rounded-full bg-pressed">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
