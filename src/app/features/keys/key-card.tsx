import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { count } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { FailureNote } from '#app/ui/failure-note.tsx'
import { TextField } from '#app/ui/field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useForm } from '#app/ui/use-form.ts'
import { type Key, type Keys, newKeySchema } from '#contract/bff/key.ts'
import type { CallBudget, SetState } from '#contract/bff/source.ts'
import { keyMutations } from './key-options.ts'

const TITLES: Readonly<Record<Key['set'], string>> = {
  v1: 'API v1',
  earlier: 'Earlier API',
}

/** Shown when a key was sent and no answer came. */
const UNANSWERED = ['neutral', 'No answer yet'] as const
const STATUSES = {
  missing: ['danger', 'No key'],
  unknown: ['neutral', 'Not used yet'],
  valid: ['accent', 'Key works'],
  refused: ['danger', 'Key refused'],
} as const

const CAPABILITIES: Readonly<Record<SetState['status'], string>> = {
  unknown: 'Not known yet',
  permitted: 'Included in the plan',
  forbidden: 'Not included in the plan',
  absent: 'This vendor does not have it',
  withoutList: 'This vendor has no list of threats there',
}

/** One route set: its key, what was found out about it, and a form for another: Lantern's own service is given its key. */
export function KeyCard({ kind, stored }: { kind: Keys['kind']; stored: Key }) {
  const { set, status, refusal, isUnreadable, state } = stored
  const [tone, label] = status === 'unknown' && state.failure ? UNANSWERED : STATUSES[status]
  return (
    <SectionCard title={TITLES[set]} tools={<Badge tone={tone}>{label}</Badge>}>
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 px-4 py-3 text-sm max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-y-0.5 [&>dd]:max-sm:mb-2 [&>dt]:text-muted">
        <Fact name="Key">
          <KeyOrigin stored={stored} />
        </Fact>
        <Fact name="Access">
          {CAPABILITIES[state.status]}
          {state.reason !== null && (
            <>
              {': '}
              <Untrusted text={state.reason} maxLength={200} />
            </>
          )}
          {state.failure && <FailureNote failure={state.failure} />}
        </Fact>
        <Fact name="Calls a minute">
          <Budget budget={state.budgets.minute} />
        </Fact>
        <Fact name="Calls a day">
          <Budget budget={state.budgets.day} />
        </Fact>
        {state.blockedUntil && (
          <Fact name="Paused">
            The vendor asks to wait until <Time at={state.blockedUntil} />
          </Fact>
        )}
        {refusal && (
          <>
            <Fact name="Refused since">
              <Time at={refusal.at} />
              {refusal.words !== null && (
                <>
                  {': “'}
                  <Untrusted text={refusal.words} maxLength={300} />”
                </>
              )}
            </Fact>
            <Fact name="Next try">
              <Time at={refusal.retryAt} />. One call then finds out whether the vendor accepts the key again.
            </Fact>
          </>
        )}
      </dl>
      {isUnreadable && (
        <p role="alert" className="px-4 pb-3 text-medium text-sm">
          A key was set here that cannot be opened any more: SECRET has changed since. Set it again.
        </p>
      )}
      {(kind === 'vendor' || stored.from === 'settings') && <ReplaceKeyForm stored={stored} />}
    </SectionCard>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function KeyOrigin({ stored: { from, isShared, lastFour, setAt, setBy } }: { stored: Key }) {
  if (from === null) return 'None'
  return (
    <>
      <span className="font-mono">…{lastFour ?? '····'}</span>
      {isShared && ', the key of v1'}
      {from === 'environment' && ', from the environment of the server'}
      {from === 'embedded' && ', made for Lantern’s own service'}
      {from === 'settings' && (
        <>
          , set {setBy && `by ${setBy} `}
          {setAt && (
            <>
              on <Time at={setAt} />
            </>
          )}
        </>
      )}
    </>
  )
}

function Budget({ budget }: { budget: CallBudget | null }) {
  if (!budget || budget.limit === null) return <span className="text-faint">No limit reported</span>
  const { limit, remaining, resetsAt } = budget
  return (
    <span className="tabular-nums">
      {remaining === null ? count(limit) : `${count(remaining)} of ${count(limit)} left`}
      {resetsAt && (
        <span className="text-faint">
          {', until '}
          <Time at={resetsAt} show="clock" />
        </span>
      )}
    </span>
  )
}

/** Returns the vendor's own words about a refused key, where the field shows that refusal. */
function wordsAbout(reason: string | undefined, error: Error | null): string | undefined {
  const fields = error instanceof ApiError ? error.problem.fields : undefined
  return fields?.find((field) => field.name === 'key' && field.reason === reason)?.words
}

/** Written, never read: the key leaves the page with the request and stays on the server. */
function ReplaceKeyForm({ stored: { set, from, isShared } }: { stored: Key }) {
  const mutations = keyMutations(useQueryClient(), set)
  const replace = useMutation(mutations.replace)
  const remove = useMutation(mutations.remove)
  const isOwn = from === 'settings' && !isShared
  const failure = replace.error ?? remove.error
  const { submit, reasonOf } = useForm({
    schema: newKeySchema,
    error: replace.error,
    onSubmit({ key }, form) {
      remove.reset()
      replace.mutate(key, { onSuccess: () => form.reset() })
    },
  })
  const reason = reasonOf('key')
  const words = wordsAbout(reason, replace.error)

  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-line border-t p-4">
      <TextField
        label={from === null || isShared ? 'API key of this set' : 'New API key'}
        name="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        className="max-w-md"
        hint="Tried with one call first. If the vendor refuses it, nothing changes."
        error={
          words === undefined ? (
            reason
          ) : (
            <>
              {reason} The vendor’s answer: “
              <Untrusted text={words} maxLength={300} />”
            </>
          )
        }
      />
      {!reason && <ActionError error={failure} not="changed" />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={replace.isPending} className="max-sm:h-11">
          {from === null ? 'Test and save' : 'Test and replace'}
        </Button>
        {isOwn && (
          <Button
            variant="quiet"
            isBusy={remove.isPending}
            onClick={() => {
              replace.reset()
              remove.mutate()
            }}
            className="max-sm:h-11"
          >
            {set === 'v1' ? 'Remove, and use the server’s own' : 'Remove'}
          </Button>
        )}
        <p role="status" className="text-muted text-xs">
          {replace.isSuccess && 'Replaced. It is in use everywhere.'}
          {remove.isSuccess && 'Removed.'}
        </p>
      </div>
    </form>
  )
}
