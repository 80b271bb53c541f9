import { Link, linkOptions } from '@tanstack/react-router'
import { casesOf } from '#app/features/concerns/cases-of.ts'
import { ConcernsYou } from '#app/features/concerns/concerns-you.tsx'
import { soFar, storedPhrase } from '#app/features/periods/period-options.ts'
import { count } from '#app/format/count.ts'
import { rowNoun, shownComparison, shownCount, shownOf } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Change } from '#app/ui/chart/change.tsx'
import { Sparkline } from '#app/ui/chart/sparkline.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { orderAfterPress } from '#app/ui/order-after-press.ts'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Actor, ActorList } from '#contract/bff/actor.ts'
import { type Period, periodParam, periodPhrase } from '#contract/bff/period.ts'
import { ACTOR_GRID, ACTOR_ROW_REM } from './actor-grid.ts'
import type { ActorSearch } from './actor-search.ts'

type ActorTableProps = { list: ActorList; search: ActorSearch & { period: string } }
type ActorSort = NonNullable<ActorSearch['sort']> | 'mentions'

const STICKY_PX = 96
const NAMES_MAX_LENGTH = 120

export function ActorTable({ list, search }: ActorTableProps) {
  return (
    <DataTable
      caption={`Actors, with their ${nounsOf(list)} in ${storedPhrase(list)}`}
      columns={actorColumns(list)}
      rows={list.actors}
      rowKey={({ name }) => name}
      sorting={{
        by: search.sort ?? 'mentions',
        isReverse: search.order === 'reverse',
        linkTo: (sort) =>
          linkOptions({
            to: '/actors',
            search: (before) => ({
              ...search,
              period: before.period,
              q: before.q,
              sort: sort === 'mentions' ? undefined : sort,
              order: orderAfterPress(before, sort, { unlessNamed: 'mentions' }),
            }),
          }),
      }}
      grid={ACTOR_GRID}
      windowed={{ rowRem: ACTOR_ROW_REM, coveredPx: STICKY_PX }}
      className="[&>thead>tr]:min-h-9 [&>thead>tr]:py-1 [&>thead]:sticky [&>thead]:top-12 [&>thead]:z-10 [&>thead]:bg-surface"
      rowLook={() => 'relative h-13 content-center text-sm hover:bg-hover'}
    />
  )
}

/** The unit of the list's figures. */
function nounsOf({ actors }: ActorList): 'cases' | 'claims' {
  return `${rowNoun(actors[0] ?? {})}s`
}

function mentionsOf({ mentions, cases }: Actor) {
  return { count: mentions, cases }
}

function actorColumns(list: ActorList): Column<Actor, ActorSort>[] {
  const { period } = list
  const nouns = nounsOf(list)
  const Nouns = nouns === 'cases' ? 'Cases' : 'Claims'
  return [
    {
      key: 'name',
      head: 'Actor',
      sort: { by: 'name', first: 'ascending' },
      className: '[grid-area:name]',
      cellClassName: 'flex min-w-0 items-center gap-2',
      cell: (actor) => <ActorName actor={actor} period={period} />,
    },
    {
      key: 'targets',
      head: <Wide>Targets</Wide>,
      className: '[grid-area:targets]',
      // One line: a target that does not fit whole wraps out of sight.
      cellClassName:
        'flex h-[1lh] min-w-0 flex-wrap items-center gap-x-2 overflow-hidden text-muted text-xs *:h-[1lh] @4xl:text-sm',
      cell: (actor) => <Targets actor={actor} />,
    },
    {
      key: 'categories',
      head: 'Categories',
      className: '@max-4xl:sr-only [grid-area:category]',
      cellClassName: 'min-w-0 truncate text-muted',
      cell: ({ categories }) => <Names names={categories} />,
    },
    {
      key: 'spark',
      head: <Wide>{`By ${period.unit}`}</Wide>,
      className: '[grid-area:spark]',
      cellClassName: '@max-4xl:ml-auto',
      cell: (actor) => (
        <Sparkline
          counts={actor.caseCounts ?? actor.counts}
          label={`${actor.name}: ${shownOf(mentionsOf(actor))} in ${storedPhrase(list)}`}
          className="h-5 w-16 @4xl:w-30"
        />
      ),
    },
    {
      key: 'mentions',
      head: (
        <>
          {Nouns} <Wide>here</Wide>
        </>
      ),
      hint: `${Nouns} stored by Lantern, of ${periodPhrase(period.name)}${soFar(period)}, that name the actor`,
      sort: { by: 'mentions', first: 'descending' },
      align: 'right',
      className: '[grid-area:mentions]',
      cellClassName: 'flex items-baseline justify-end gap-2',
      cell: (actor) => <Mentions actor={actor} />,
    },
    {
      key: 'listed',
      head: 'Claims reported by vendor',
      hint: 'Claims that the vendor reports; it does not say of which time',
      sort: { by: 'listed', first: 'descending' },
      align: 'right',
      className: '[grid-area:listed]',
      cellClassName: 'whitespace-nowrap text-muted text-xs tabular-nums @4xl:text-sm',
      cell: ({ listedMentions }) =>
        listedMentions === null ? (
          <span className="@max-4xl:sr-only">—</span>
        ) : (
          <>
            {count(listedMentions)} <span className="@4xl:hidden">by vendor</span>
          </>
        ),
    },
    {
      key: 'week',
      head: '7 days',
      hint: `${Nouns} in the last 7 days, today so far, and the change from the same part of the 7 days before`,
      sort: { by: 'change', first: 'descending' },
      align: 'right',
      className: '[grid-area:week]',
      cellClassName: 'flex items-baseline justify-end gap-2 text-xs @4xl:text-sm',
      cell: ({ week }) => (
        <>
          {week && <Change compared={shownComparison(week.compared)} />}
          <span className="tabular-nums @max-4xl:sr-only">{week ? count(shownCount(week)) : '—'}</span>
        </>
      ),
    },
    {
      key: 'latest',
      head: 'Latest',
      sort: { by: 'latest', first: 'descending' },
      align: 'right',
      className: '[grid-area:latest]',
      cellClassName: 'whitespace-nowrap text-muted text-xs @4xl:text-sm',
      cell: ({ latestObservedAt }) => <Time at={latestObservedAt} show="age" />,
    },
  ]
}

function Wide({ children }: { children: string }) {
  return <span className="@max-4xl:sr-only">{children}</span>
}

function ActorName({ actor, period }: { actor: Actor; period: Period }) {
  const { name, concerns, mentions, isHeld } = actor
  return (
    <>
      <Link
        to="/actors/$name"
        params={{ name: name.toWellFormed() }}
        search={{ period: periodParam(period.name) }}
        onClick={useFollow()}
        className="min-h-0 min-w-0 scroll-mt-32 scroll-mb-16 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
      >
        <Untrusted text={name} clip="silent" maxLength={NAMES_MAX_LENGTH} />
      </Link>
      <ConcernsYou
        concerns={concerns}
        threats={mentions}
        cases={casesOf(actor)}
        period={period}
        filter={{ actor: [name] }}
      />
      {!isHeld && (
        <span className="shrink-0" title="Reported by vendor; no stored threat names it">
          <Badge>listed only</Badge>
        </span>
      )}
    </>
  )
}

function Targets({ actor: { countries, industries } }: { actor: Actor }) {
  if (countries.length + industries.length === 0) return '—'
  return (
    <>
      {countries.map((code) => (
        <span key={code} className="inline-flex shrink-0 items-center gap-1" title={countryName(code)}>
          <Flag code={code} />
          <span aria-hidden="true" className="font-mono text-2xs">
            {code}
          </span>
          <span className="sr-only">{countryName(code)}</span>
        </span>
      ))}
      <span className={`min-w-12 flex-1 truncate ${countries.length > 0 ? '@4xl:@max-6xl:hidden' : ''}`}>
        {industries.length > 0 && <Names names={industries} />}
      </span>
    </>
  )
}

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return '—'
  return <Untrusted text={names.join(', ')} clip="silent" maxLength={NAMES_MAX_LENGTH} />
}

function Mentions({ actor }: { actor: Actor }) {
  const { isHeld, compared } = actor
  const shown = shownCount(mentionsOf(actor))
  return (
    <>
      <span className="@max-4xl:hidden">
        {isHeld && shown !== null && compared !== null && <Change compared={shownComparison(compared)} />}
      </span>
      <span className="font-medium tabular-nums">{count(shown)}</span>
    </>
  )
}
