import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { inertLine } from '#app/ui/export/inert-line.ts'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { MATCHES_PAGE_COUNT, type MatchChoice, type NameList } from '#contract/bff/list.ts'
import type { ListMatch, MatchDecision } from '#contract/bff/list-match.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { listMutations, matchesOptions } from './list-options.ts'
import { reasonWords } from './list-words.ts'
import type { MatchSearch } from './match-address.ts'

const TITLE_MAX_LENGTH = 120

const SHOWN: readonly [MatchChoice, string][] = [
  ['matches', 'Matches'],
  ['to-confirm', 'To confirm'],
  ['rejected', 'Not us'],
]

/** The decision that was stored last: its row may leave the list. */
type Decided = {
  pair: string
  /** Position of its row. */
  at: number
  /** For screen readers. */
  text: string
}

type ListMatchesProps = {
  list: NameList
  /** Only matches of this entry. */
  entryId?: string
  canChange: boolean
  search: MatchSearch
  onSearch(search: MatchSearch): void
}

/** The threats that entries of a list match, newest first, why, and what the team decided. */
export function ListMatches({ list, entryId, canChange, search, onSearch }: ListMatchesProps) {
  const { show, page } = search
  const offset = (page - 1) * MATCHES_PAGE_COUNT
  const query = useQuery(matchesOptions(list.id, { entry: entryId, show, offset }))
  const { data } = query
  const decide = useMutation(listMutations(useQueryClient()).decide)
  const [decided, setDecided] = useState<Decided | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = useRef<HTMLUListElement>(null)
  // The pressed button is replaced, or leaves with its row, and the focus with it.
  useEffect(() => {
    if (decided === null || document.activeElement !== document.body) return
    const items = [...(rows.current?.querySelectorAll<HTMLElement>(':scope > li') ?? [])]
    const item = items.find(({ dataset }) => dataset.pair === decided.pair) ?? items[decided.at]
    const target = item?.querySelector('button') ?? heading.current
    target?.focus()
  }, [decided])
  return (
    <SectionCard
      title="Threats"
      headingRef={heading}
      note={data && <span className="text-faint text-xs">{countOf(data.total, 'match', 'matches')}</span>}
      tools={
        <Segments
          legend="Show"
          segments={SHOWN.map(([key, label]) => ({
            key,
            label,
            isOn: key === show,
            onPress: () => onSearch({ show: key, page: 1 }),
          }))}
        />
      }
    >
      <div className="px-4 not-empty:py-2 empty:hidden">
        <ActionError error={decide.error} not="decided" />
        <NotRefreshed query={query} />
      </div>
      <VisuallyHidden role="status">{decided?.text}</VisuallyHidden>
      <LoadedPart query={query} name="the threats" heights={['h-40']}>
        {({ total }) =>
          total === 0 && (
            <EmptyState icon={list.isMatching ? 'clock' : 'check'} title={emptyTitle(list, show)}>
              {show === 'matches' && 'New threats are compared with every entry as they are read.'}
            </EmptyState>
          )
        }
      </LoadedPart>
      <ul ref={rows} className="divide-y divide-line">
        {data?.matches.map((match, at) => (
          <MatchItem key={pairOf(match)} match={match}>
            {canChange && (
              <Decisions
                match={match}
                isBusy={decide.isPending}
                onDecide={(decision) =>
                  decide.mutate(
                    { id: list.id, threatId: match.threat.id, entryId: match.entryId, decision },
                    {
                      onSuccess: () =>
                        setDecided({ pair: pairOf(match), at, text: describeDecision(match, decision) }),
                    },
                  )
                }
              />
            )}
          </MatchItem>
        ))}
      </ul>
      {data && data.total > MATCHES_PAGE_COUNT && (
        <div className="flex items-center justify-end gap-2 border-line border-t px-4 py-2 text-muted text-xs">
          <span>
            Page {page} of {Math.ceil(data.total / MATCHES_PAGE_COUNT)}
          </span>
          <Button size="small" disabled={page === 1} onClick={() => onSearch({ show, page: page - 1 })}>
            Newer
          </Button>
          <Button
            size="small"
            disabled={offset + MATCHES_PAGE_COUNT >= data.total}
            onClick={() => onSearch({ show, page: page + 1 })}
          >
            Older
          </Button>
        </div>
      )}
    </SectionCard>
  )
}

function emptyTitle({ isMatching }: NameList, show: MatchChoice): string {
  if (show === 'rejected') return 'Nothing was rejected'
  if (show === 'to-confirm') return 'Nothing is left to confirm'
  return isMatching ? 'Comparing with the stored threats…' : 'No stored threat matches'
}

function MatchItem({ match, children }: { match: ListMatch; children: ReactNode }) {
  const { threat, entryName, certainty, decision } = match
  const { reason, text } = reasonWords(match)
  return (
    <li data-pair={pairOf(match)} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <Link
          to="/threats/$id"
          params={{ id: threat.id }}
          className="truncate font-medium text-sm text-accent hover:underline"
        >
          <ThreatTitle threat={threat} maxLength={200} />
        </Link>
        <span className="wrap-anywhere text-muted text-xs">
          <Untrusted text={entryName} maxLength={100} clip="silent" isRaw />
          {` · ${reason}: `}
          <Untrusted text={text} maxLength={120} clip="silent" />
        </span>
      </div>
      <Badge tone={certainty === 'certain' ? 'accent' : 'warning'}>
        {decision === 'confirmed' ? 'confirmed' : certainty === 'certain' ? 'certain' : 'to confirm'}
      </Badge>
      <span className="text-muted text-xs">
        <ThreatAge threat={threat} />
      </span>
      {children}
    </li>
  )
}

function pairOf({ threat, entryId }: ListMatch): string {
  return `${threat.id} ${entryId}`
}

/** For accessible names. */
function titleOf({ title }: ListMatch['threat']): string {
  return title?.trim() ? inertLine(title).slice(0, TITLE_MAX_LENGTH) : 'Untitled threat'
}

function describeDecision({ entryName, threat }: ListMatch, decision: MatchDecision | null): string {
  const about = `“${titleOf(threat)}” and “${visibleLine(entryName)}”`
  if (decision === null) return `Decision taken back: ${about}.`
  return decision === 'confirmed' ? `Confirmed: ${about}.` : `Marked as not us: ${about}.`
}

type DecisionsProps = {
  match: ListMatch
  isBusy: boolean
  onDecide(decision: MatchDecision | null): void
}

function Decisions({ match, isBusy, onDecide }: DecisionsProps) {
  const { decision, certainty, threat } = match
  const entry = visibleLine(match.entryName)
  const title = titleOf(threat)
  if (decision !== null) {
    const undone = decision === 'confirmed' ? 'the confirmation' : '“Not us”'
    return (
      <Button
        size="small"
        icon="undo"
        isBusy={isBusy}
        aria-label={`Undo ${undone} of ${entry}: ${title}`}
        onClick={() => onDecide(null)}
      >
        Undo
      </Button>
    )
  }
  return (
    <span className="flex gap-2">
      {certainty === 'to-confirm' && (
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={`Confirm that this is about ${entry}: ${title}`}
          onClick={() => onDecide('confirmed')}
        >
          Confirm
        </Button>
      )}
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={`Not us: this is not about ${entry}: ${title}`}
        onClick={() => onDecide('rejected')}
      >
        Not us
      </Button>
    </span>
  )
}
