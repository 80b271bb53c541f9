import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { LedgerDetail } from '#contract/bff/delivery-ledger.ts'
import type { DeliveryAttempt } from '#contract/delivery.ts'
import type { LedgerSearch } from '../alert-search.ts'
import { MuteButton } from '../mutes/mute-button.tsx'
import { CloseLink, Fact, FactList, SidePanel } from '../side-panel.tsx'
import { deliveryOptions, resendMutation } from './delivery-options.ts'
import {
  DeliveryCauses,
  DeliveryDestination,
  DeliveryStateBadge,
  DeliverySubject,
} from './delivery-parts.tsx'
import { isQuoted, isResendable, meaningOf } from './delivery-words.ts'
import { focusEntryLink } from './ledger-table.tsx'

type DeliveryPanelProps = { id: string; search: LedgerSearch }

/** One message with all that was tried. */
export function DeliveryPanel({ id, search }: DeliveryPanelProps) {
  const query = useQuery(deliveryOptions(id))
  const { data } = query
  return (
    <SidePanel label="Message" id={id} onLeave={focusEntryLink}>
      <SectionCard
        title={data ? <DeliverySubject delivery={data} /> : 'Message'}
        tools={<CloseLink to="/alerts/deliveries" search={{ ...search, open: undefined }} />}
      >
        <LoadedPart query={query} name="the message" heights={['h-5', 'h-24']}>
          {(delivery) => <Facts delivery={delivery} />}
        </LoadedPart>
      </SectionCard>
      {data && <Attempts history={data.history} />}
      {data && data.threats.length > 0 && <NotifiedThreats delivery={data} />}
    </SidePanel>
  )
}

function Facts({ delivery }: { delivery: LedgerDetail }) {
  const { id, state, causes, createdAt, nextAttemptAt } = delivery
  return (
    <>
      <div className="grid gap-1.5 border-line border-b px-4 py-3">
        <span role="status">
          <DeliveryStateBadge state={state} />
        </span>
        <p className="text-muted text-sm">{meaningOf(delivery)}</p>
        <SendAgain key={id} delivery={delivery} />
      </div>
      <FactList>
        <Fact name="To">
          <DeliveryDestination {...delivery} />
        </Fact>
        <Fact name="For">
          <DeliveryCauses causes={causes} />
        </Fact>
        <Fact name="Made">
          <Time at={createdAt} />
        </Fact>
        {nextAttemptAt !== null && (
          <Fact name="Next try">
            <Time at={nextAttemptAt} />
          </Fact>
        )}
      </FactList>
    </>
  )
}

function nameOutcome(outcome: DeliveryAttempt['outcome'], code: string | null): string {
  if (outcome === null) return 'Sending'
  if (outcome === 'accepted') return 'Delivered'
  if (outcome === 'unclear') return 'No answer'
  return code === null ? 'Not sent' : 'Refused'
}

function Attempts({ history }: { history: readonly DeliveryAttempt[] }) {
  return (
    <SectionCard title={countOf(history.length, 'attempt')}>
      {history.length === 0 && <p className="px-4 py-3 text-muted text-sm">Nothing was tried yet.</p>}
      <ol className="divide-y divide-line">
        {history.map(({ number, startedAt, endedAt, outcome, code, excerpt }) => (
          <li key={number} className="grid gap-1 px-4 py-2.5 text-sm">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{nameOutcome(outcome, code)}</span>
              {code !== null && (
                <span className="font-mono text-xs">
                  <Untrusted text={code} maxLength={80} clip="silent" />
                </span>
              )}
              <span className="ml-auto text-muted text-xs">
                <Time at={endedAt ?? startedAt} />
              </span>
            </p>
            {excerpt !== '' && (
              <p className="text-muted text-xs">
                {isQuoted(code) && 'Answer: “'}
                <Untrusted text={excerpt} maxLength={500} isProse />
                {isQuoted(code) && '”'}
              </p>
            )}
          </li>
        ))}
      </ol>
    </SectionCard>
  )
}

const SHOWN_THREATS = 50

function NotifiedThreats({ delivery }: { delivery: LedgerDetail }) {
  const { threats, threatCount, causes, mutableIds } = delivery
  const shown = threats.slice(0, SHOWN_THREATS)
  const mutable = causes.filter(({ id }) => mutableIds.includes(id))
  return (
    <SectionCard title="Threats in the message">
      <ul className="grid gap-1 px-4 py-3 text-sm">
        {shown.map(({ id, title, victim, actor, causeIds }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              to="/threats/$id"
              params={{ id }}
              className={`touch block min-h-6 min-w-0 flex-1 truncate rounded-sm leading-6 text-accent hover:underline ${title === null ? 'font-mono text-xs' : ''}`}
            >
              <Untrusted text={title ?? id} maxLength={120} clip="silent" />
            </Link>
            <MuteButton
              profiles={mutable.filter((profile) => causeIds.includes(profile.id))}
              names={[
                ...(victim ? [{ kind: 'victim' as const, name: victim }] : []),
                ...(actor ? [{ kind: 'actor' as const, name: actor }] : []),
              ]}
              subject={title ?? id}
            />
          </li>
        ))}
      </ul>
      {threatCount > shown.length && (
        <p className="border-line border-t px-4 py-2.5 text-faint text-xs">
          {countOf(threatCount - shown.length, 'more was', 'more were')} in the message.
        </p>
      )}
    </SectionCard>
  )
}

/** Asks first where it may arrive twice. */
function SendAgain({ delivery }: { delivery: LedgerDetail }) {
  const { data: session } = useQuery(sessionOptions())
  const sending = useMutation(resendMutation(useQueryClient()))
  const isOffered = isResendable(delivery) && session !== undefined && session.user.role !== 'viewer'
  const send = () => sending.mutate(delivery.id)
  return (
    <>
      {isOffered && (
        <div>
          {delivery.state === 'unclear' ? (
            <AskFirst
              label="Send again…"
              icon="refresh"
              warning="It may arrive twice."
              confirm="Send anyway"
              isBusy={sending.isPending}
              onConfirm={send}
            />
          ) : (
            <Button
              size="small"
              icon="refresh"
              isBusy={sending.isPending}
              className="max-sm:h-11"
              onClick={send}
            >
              Send again
            </Button>
          )}
        </div>
      )}
      <ActionError error={sending.error} not="sent again" />
    </>
  )
}
