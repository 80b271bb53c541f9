import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Backtest, KeywordShare } from '#contract/bff/alert.ts'
import { FLAG_WORDS } from './flag-words.ts'

type BacktestKeywordsProps = { backtest: Backtest; onRemove(keyword: string): void }

/** Lists keywords with their matches, the matches that only they find, and their flags. */
export function BacktestKeywords({ backtest: { keywords, matches }, onRemove }: BacktestKeywordsProps) {
  const columns: Column<KeywordShare>[] = [
    {
      key: 'keyword',
      head: 'Keyword',
      isName: true,
      cellClassName: 'min-w-0 font-normal',
      cell: (share) => <KeywordName share={share} />,
    },
    {
      key: 'matches',
      head: 'Matches',
      align: 'right',
      cellClassName: 'tabular-nums',
      cell: (share) => (
        <>
          {count(share.matches)}
          <ShareBar part={share.matches} whole={matches} />
        </>
      ),
    },
    {
      key: 'alone',
      head: 'Only this keyword',
      hint: 'Matches that no other keyword has',
      align: 'right',
      cellClassName: 'text-muted tabular-nums',
      cell: ({ alone }) => count(alone),
    },
    {
      key: 'remove',
      head: <VisuallyHidden>Remove</VisuallyHidden>,
      className: 'w-10',
      cell: ({ keyword }, index) => (
        <IconButton icon="x" label={`Remove keyword ${index + 1}`} onClick={() => onRemove(keyword)} />
      ),
    },
  ]
  return (
    <DataTable
      caption="Matches by keyword"
      columns={columns}
      rows={keywords}
      // A keyword may stand twice, and its index distinguishes it.
      rowKey={(_, index) => index}
      className="w-full text-sm [&_td:last-child]:py-0 [&_td]:px-2 [&_td]:py-1.5 [&_td]:align-top [&_th:first-child]:pl-4 [&_th]:px-2 [&_th]:py-1.5 [&_th]:align-top"
    />
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
    <span
      aria-hidden="true"
      className="mt-1 ml-auto block h-1 w-16 overflow-hidden rounded-full bg-pressed forced-color-adjust-none"
    >
      <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
