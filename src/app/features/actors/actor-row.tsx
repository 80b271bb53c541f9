import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Change } from '#app/ui/chart/change.tsx'
import { Sparkline } from '#app/ui/chart/sparkline.tsx'
import { Flag } from '#app/ui/flag.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Actor } from '#contract/bff/actor.ts'
import { ACTOR_GRID } from './actor-grid.ts'
import { TargetsYou } from './targets-you.tsx'

type ActorRowProps = {
  actor: Actor
  /** Of the sparkline. */
  firstDay: string | undefined
  /** Counted from 1, the heading being 1. */
  rowIndex: number
  /** Distance from the top of the rows, in pixels; null where it stands below the row before it. */
  top: number | null
  onFocus(): void
}

const NAME_MAX_LENGTH = 120

export function ActorRow({ actor, firstDay, rowIndex, top, onFocus }: ActorRowProps) {
  const { name, isHeld, mentions, previousMentions, week, categories, latestObservedAt, listedMentions } =
    actor
  const follow = useFollow()
  return (
    <tr
      aria-rowindex={rowIndex}
      className={`${ACTOR_GRID} relative h-13 content-center border-line border-b text-sm hover:bg-hover`}
      style={top === null ? undefined : { position: 'absolute', insetInline: 0, top }}
      onFocus={onFocus}
    >
      <td className="flex min-w-0 items-center gap-2 [grid-area:name]">
        <Link
          to="/actors/$name"
          params={{ name: name.toWellFormed() }}
          onClick={follow}
          className="min-w-0 scroll-mt-32 scroll-mb-16 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          <Untrusted text={name} clip="silent" maxLength={NAME_MAX_LENGTH} />
        </Link>
        <TargetsYou targeted={actor.targeted} />
        {!isHeld && (
          <span className="shrink-0" title="Listed by the source; no record that Lantern holds names it">
            <Badge>listed only</Badge>
          </span>
        )}
      </td>
      <td className="flex min-w-0 items-center gap-2 text-muted text-xs [grid-area:targets] @4xl:text-sm">
        <Targets actor={actor} />
      </td>
      <td className="min-w-0 truncate text-muted [grid-area:category] @max-4xl:sr-only">
        {categories.length === 0 ? (
          '—'
        ) : (
          <Untrusted text={categories.join(', ')} clip="silent" maxLength={120} />
        )}
      </td>
      <td className="[grid-area:spark] @max-4xl:ml-auto">
        <Sparkline
          counts={actor.counts}
          label={`${name}: ${countOf(mentions, 'mention')} since ${firstDay ?? 'the first day'}`}
          className="h-5 w-16 @4xl:w-30"
        />
      </td>
      <td className="flex items-baseline justify-end gap-2 text-right [grid-area:mentions]">
        <span className="@max-4xl:hidden">
          {isHeld && mentions !== null && previousMentions !== null && (
            <Change count={mentions} previous={previousMentions} />
          )}
        </span>
        <span
          className="font-medium tabular-nums"
          title={listedMentions === null ? undefined : `${count(listedMentions)} by the source’s own count`}
        >
          {count(mentions)}
        </span>
      </td>
      <td className="flex items-baseline justify-end gap-2 text-right text-xs [grid-area:week] @4xl:text-sm">
        {week && <Change count={week.count} previous={week.before} />}
        <span className="tabular-nums @max-4xl:sr-only">{week ? count(week.count) : '—'}</span>
      </td>
      <td className="whitespace-nowrap text-right text-muted text-xs [grid-area:latest] @4xl:text-sm">
        <Time at={latestObservedAt} show="age" />
      </td>
    </tr>
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
      <span className={`min-w-0 truncate ${countries.length > 0 ? '@4xl:@max-6xl:hidden' : ''}`}>
        {industries.length > 0 && <Untrusted text={industries.join(', ')} clip="silent" maxLength={120} />}
      </span>
    </>
  )
}
