import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { CaseAction, CaseClaim, JoinReason, VictimCase } from '#contract/bff/case.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { defang, defangProse } from '#contract/defang.ts'
import { caseMutations, caseOptions } from './case-options.ts'

const RULES: Readonly<Record<JoinReason['rule'], string>> = {
  domain: 'same domain',
  name: 'same name',
  repost: 'posted again by one actor',
  similar: 'similar name',
  'name-in-name': 'name within a longer one',
  abbreviation: 'abbreviation of the name',
  'everyday-name': 'same common name',
  'brand-in-domain': 'domain of the same name',
  hand: 'joined by',
}
const DONE: Readonly<Record<CaseAction['action'], string>> = {
  join: 'Joined to one case.',
  'join-all': 'Joined to one case.',
  split: 'Removed from its case.',
  'keep-apart': 'Kept apart.',
}
const TITLE_MAX_LENGTH = 200
const TEXT_MAX_LENGTH = 80
/** Offers that are shown at first, the likeliest. */
const OFFERS_SHOWN_COUNT = 3

/** Other claims of the victim of a threat, and those that may be of it. Nothing where there are none. */
export function CasePanel({ threatId }: { threatId: string }) {
  const { data: answer, error, refetch } = useQuery(caseOptions(threatId))
  const data = answer?.found
  const { isAllowed } = useTriage()
  const { act, undo } = caseMutations(useQueryClient())
  const acting = useMutation(act)
  const undoing = useMutation(undo)
  const run = (action: CaseAction) => {
    undoing.reset()
    acting.mutate(action)
  }
  const undoId = undoing.isSuccess ? undefined : acting.data?.undoId
  const done = acting.variables && undoId ? DONE[acting.variables.action] : null
  const heading = useRef<HTMLHeadingElement>(null)
  const undoButton = useRef<HTMLButtonElement>(null)
  const fault = acting.error ?? undoing.error
  const settled = fault ?? (undoing.isSuccess ? 'undone' : undoId)
  // The pressed button leaves with what it was about, and the focus with it.
  useEffect(() => {
    if (settled != null && document.activeElement === document.body)
      (undoButton.current ?? heading.current)?.focus()
  }, [settled])
  const isShown = data && (data.claimCount > 1 || data.offers.length > 0)
  if (!isShown && !error && !fault && done === null && !answer?.isComparing) return null
  return (
    <SectionCard
      title="Same victim"
      headingRef={heading}
      note={data && isShown && <CaseCounts found={data} />}
    >
      {error && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {answer?.isComparing && (
        <p className="px-4 py-2 text-muted text-sm">
          Lantern is still comparing stored threats with each other. There may be other claims of this victim.
        </p>
      )}
      <div className="px-4 not-empty:py-2 empty:hidden">
        <ActionError error={acting.error} not="changed" />
        <ActionError error={undoing.error} not="undone" />
      </div>
      <div role="status" className="px-4 not-empty:py-2 empty:hidden">
        {undoing.isSuccess && <p className="text-muted text-sm">Undone.</p>}
        {done !== null && (
          <p className="flex items-center justify-between gap-2 text-sm">
            {done}
            <Button
              ref={undoButton}
              size="small"
              icon="undo"
              isBusy={undoing.isPending}
              onClick={() => undoId && undoing.mutate(undoId)}
            >
              Undo
            </Button>
          </p>
        )}
      </div>
      {data && data.claimCount > 1 && <Claims found={data} threatId={threatId} />}
      {data && data.claimCount > 1 && isAllowed && (
        <div className="border-line border-t px-4 py-2">
          <Button
            size="small"
            variant="quiet"
            isBusy={acting.isPending}
            onClick={() => run({ action: 'split', threatId, revision: data.revision })}
          >
            Remove from case
          </Button>
        </div>
      )}
      {data && data.offers.length > 0 && (
        <Offers key={threatId} found={data} isAllowed={isAllowed} isBusy={acting.isPending} onAct={run} />
      )}
    </SectionCard>
  )
}

function CaseCounts({ found: { id, claimCount, actorCount } }: { found: VictimCase }) {
  return (
    <span className="text-faint text-xs">
      Case {id} · {countOf(claimCount, 'claim')}
      {actorCount > 1 && ` · ${countOf(actorCount, 'group')}`}
    </span>
  )
}

function Claims({ found: { claims, claimCount }, threatId }: { found: VictimCase; threatId: string }) {
  return (
    <>
      <ol className="max-h-96 divide-y divide-line overflow-auto px-4">
        {claims.map((claim) => (
          <ClaimItem key={claim.threat.id} claim={claim} isOpen={claim.threat.id === threatId} />
        ))}
      </ol>
      {claimCount > claims.length && (
        <p className="border-line border-t px-4 py-2 text-faint text-xs">
          {countOf(claimCount - claims.length, 'older claim')} more
        </p>
      )}
    </>
  )
}

function ClaimItem({ claim: { threat, reason }, isOpen }: { claim: CaseClaim; isOpen: boolean }) {
  return (
    <li className="grid gap-0.5 py-2 text-sm" aria-current={isOpen ? 'true' : undefined}>
      {isOpen ? <span className="truncate font-medium">This claim</span> : <ClaimLink threat={threat} />}
      <ClaimFacts threat={threat} />
      <ConcernBadge concerns={threat.concerns} />
      {reason ? <Reason reason={reason} /> : <span className="text-faint text-xs">the first claim</span>}
    </li>
  )
}

function ClaimLink({ threat }: { threat: Threat }) {
  return (
    <Link
      to="/threats/$id"
      params={{ id: threat.id }}
      className="truncate font-medium text-accent hover:underline"
    >
      <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
    </Link>
  )
}

function ClaimFacts({ threat }: { threat: Threat }) {
  const [actor] = threat.actors
  return (
    <span className="wrap-anywhere text-muted text-xs">
      <ThreatAge threat={threat} />
      {actor !== undefined && (
        <>
          {' · '}
          <Untrusted text={actor} maxLength={TEXT_MAX_LENGTH} clip="silent" />
        </>
      )}
    </span>
  )
}

function Reason({ reason: { rule, text } }: { reason: JoinReason }) {
  const isDomain = rule === 'domain' || rule === 'brand-in-domain'
  const inert = isDomain ? defang(text) : defangProse(text)
  return (
    <span className="wrap-anywhere text-faint text-xs">
      {RULES[rule]}{' '}
      {rule === 'hand' ? (
        <PersonName name={text} />
      ) : (
        <Untrusted text={inert} maxLength={TEXT_MAX_LENGTH} clip="silent" />
      )}
    </span>
  )
}

type OffersProps = {
  found: VictimCase
  isAllowed: boolean
  isBusy: boolean
  onAct(action: CaseAction): void
}

function Offers({ found: { offers, revision }, isAllowed, isBusy, onAct }: OffersProps) {
  const [isWhole, setIsWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const shown = isWhole ? offers : offers.slice(0, OFFERS_SHOWN_COUNT)
  const showAll = () => {
    flushSync(() => setIsWhole(true))
    // The pressed button is removed: the focus moves to the first offer that it has added.
    list.current?.children[OFFERS_SHOWN_COUNT]?.querySelector('a')?.focus()
  }
  return (
    <div className="border-line border-t">
      <h3 className="px-4 pt-2 font-medium text-faint text-xs">May be the same victim</h3>
      <ul ref={list} className="divide-y divide-line px-4">
        {shown.map(({ threat, reason }) => {
          const pair = { threatId: reason.threatId, otherId: threat.id, revision }
          return (
            <li key={threat.id} className="grid gap-1 py-2 text-sm">
              <ClaimLink threat={threat} />
              <ClaimFacts threat={threat} />
              <Reason reason={reason} />
              {isAllowed && (
                <span className="flex flex-wrap gap-2">
                  <Button size="small" isBusy={isBusy} onClick={() => onAct({ action: 'join', ...pair })}>
                    Same victim
                    <OfferName threat={threat} />
                  </Button>
                  <Button
                    size="small"
                    variant="quiet"
                    isBusy={isBusy}
                    onClick={() => onAct({ action: 'keep-apart', ...pair })}
                  >
                    Another victim
                    <OfferName threat={threat} />
                  </Button>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {shown.length < offers.length && (
        <div className="border-line border-t px-4 py-2">
          <Button size="small" variant="quiet" onClick={showAll}>
            Show {offers.length - shown.length} more
          </Button>
        </div>
      )}
    </div>
  )
}

/** Says to screen readers which offer a button is of. */
function OfferName({ threat }: { threat: Threat }) {
  return (
    <VisuallyHidden>
      {': '}
      <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
    </VisuallyHidden>
  )
}
