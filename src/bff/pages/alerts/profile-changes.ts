import { type AuditedChange, auditFacts } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange } from '#bff/accounts/make-change.ts'
import { listNamedDestinations, readSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { notFound, ProblemError } from '#bff/http/problem-error.ts'
import { toProblem } from '#bff/upstream/client/to-problem.ts'
import type { UncountedRouteName } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { AlertChange, AlertList, AlertTest, AlertTestsSent } from '#contract/bff/alert.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { maskDestination, maskDestinations } from '#contract/bff/mask-address.ts'
import type { AlertProfileStates } from '#contract/upstream/earlier/alert-profile.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import type { Destination } from '#delivery/destinations.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { summarizeCause } from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import type { Cause } from '#delivery/message.ts'
import type { AlertContext } from './alert-context.ts'
import { type ChangeSteps, changeSource, isUnclear, sendChange, storeChange } from './change-source.ts'
import { toRefusal } from './refused-fields.ts'
import { takeSourceTurn } from './source-turn.ts'
import { requireUsable } from './usable-draft.ts'

/** How the messages of profiles go. Null if the vendor sends them itself, or does not answer. */
export async function readSummaries({
  upstream,
  database,
  hasEmail,
}: AlertContext): Promise<AlertList['extension']> {
  if (!(await upstream.offers('readAlertProfiles'))) return null
  try {
    const summaries = (await readSourceProfiles(upstream)).map(async ({ id, state }) => {
      const summary = await summarizeCause(database, id, readDatabaseTime)
      return [id, { state, ...summary }] as const
    })
    return { hasEmail, deliveries: Object.fromEntries(await Promise.all(summaries)) }
  } catch (error) {
    if (error instanceof UpstreamError) return null
    throw error
  }
}

/** Changes a profile of our own service. It costs no call, as no change here does. */
export async function changeAlert(
  context: AlertContext,
  id: string,
  change: AlertChange,
  author: ChangeContext,
): Promise<void> {
  const { upstream } = context
  await requireOffered(context, 'changeAlert')
  requireUsable(change, context.webhookHosts)
  const { email, slack, teams, ...criteria } = change
  const given = Object.entries({ email, slack, teams }).filter(([, value]) => value !== undefined)
  const body = { ...criteria, ...(given.length > 0 && { notifications: Object.fromEntries(given) }) }
  const masked = maskDestinations({ email: email ?? [], slack: slack ?? null, teams: teams ?? null })
  const shown = Object.entries(masked).filter(([name]) => given.some(([key]) => key === name))
  const facts = {
    action: actionOf(change),
    object: id,
    objectName: change.name ?? (await nameOf(context, id)),
    after: { ...criteria, ...Object.fromEntries(shown) },
  }
  try {
    await changeAudited(context, author, facts, {
      async send() {
        const profile = readAlertProfile(await sendChange(upstream, 'changeAlert', { id, body }))
        if (!profile) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'no profile' })
        return profile
      },
      async store(tx, profile) {
        await storeChange(tx, context, { id, profile })
        if (change.state === 'paused') await stopCause(tx, causeOf(profile), 'paused')
        if (change.state === 'active') await resumeCause(tx, profile.id)
      },
    })
    await context.onChanged()
  } catch (error) {
    throw toChangeProblem(error, change)
  }
}

export async function deleteAlert(context: AlertContext, id: string, author: ChangeContext): Promise<void> {
  await requireOffered(context, 'deleteAlert')
  const facts = { action: 'alert-deleted', object: id } as const
  try {
    const objectName = await nameOf(context, id)
    await changeAudited(
      context,
      author,
      { ...facts, objectName },
      {
        send: () => sendDeletion(context, id),
        async store(tx) {
          await storeChange(tx, context, { id, profile: null })
          await stopCause(tx, causeOf({ id, name: objectName ?? id }), 'deleted')
        },
      },
    )
    await context.onChanged()
  } catch (error) {
    throw toChangeProblem(error)
  }
}

/** Sends tests to all destinations of a profile, or to the one that is named. */
export async function testAlert(
  context: AlertContext,
  id: string,
  author: ChangeContext,
  destination?: string,
): Promise<AlertTestsSent> {
  await requireOffered(context, 'readAlertProfiles')
  const facts = { action: 'alert-tested', object: id } as const
  try {
    const profile = (await readSourceProfiles(context.upstream)).find((one) => one.id === id)
    if (!profile) throw noProfile()
    const to = pickDestinations(profile, destination)
    const after = destination === undefined ? undefined : { destination }
    return await sendTests(
      context,
      { ...facts, objectName: profile.name, after },
      {
        to,
        causes: [causeOf(profile)],
        author,
      },
    )
  } catch (error) {
    throw toChangeProblem(error)
  }
}

export async function testDestination(
  context: AlertContext,
  test: AlertTest,
  author: ChangeContext,
): Promise<AlertTestsSent> {
  await requireOffered(context, 'readAlertProfiles')
  const { channel, destination } = test
  requireUsable(channel === 'email' ? {} : { [channel]: destination }, context.webhookHosts)
  const facts = { action: 'alert-tested', object: null } as const
  const after = { channel, destination: maskDestination(channel, destination) }
  return sendTests(context, { ...facts, after }, { to: [test], causes: [], author })
}

function sendTests(
  { database, secret, origin }: AlertContext,
  event: AuditedChange,
  { to, causes, author }: { to: readonly Destination[]; causes: readonly Cause[]; author: ChangeContext },
): Promise<AlertTestsSent> {
  const { name: requestedBy } = author.session.user
  const test = { kind: 'test', causes, requestedBy, link: `${origin}/alerts` } as const
  return makeChange(database, author, 'analyst', async (tx, record) => {
    await record(event)
    const sent = await insertDeliveries(tx, to, test, { secret })
    return { sent: sent.map((id) => ({ id })) }
  })
}

/** Only our own service lets Lantern change profiles. */
async function requireOffered({ upstream }: AlertContext, name: UncountedRouteName): Promise<void> {
  if (await upstream.offers(name)) return
  throw new ProblemError({
    code: 'not_offered',
    detail: 'This vendor lets nobody change its alert profiles from here: its own console does.',
  })
}

/** The second time, a profile that is not there was deleted by the first request. */
async function sendDeletion({ upstream }: AlertContext, id: string): Promise<void> {
  try {
    await upstream.ask('deleteAlert', { id })
  } catch (error) {
    if (!isUnclear(error)) throw error
    await upstream.ask('deleteAlert', { id }).catch((again: unknown) => {
      const isGone = again instanceof UpstreamError && again.kind === 'not_found'
      if (!isGone) throw again
    })
  }
}

/** Makes a person's change at the vendor. */
function changeAudited<Answer>(
  context: AlertContext,
  author: ChangeContext,
  event: AuditedChange,
  steps: ChangeSteps<Answer>,
): Promise<void> {
  return takeSourceTurn(context, () =>
    changeSource(context, {
      event: { ...auditFacts(author), ...event },
      request: (requested) =>
        makeChange(context.database, author, 'analyst', (_tx, record) => record({ ...event, ...requested })),
      ...steps,
    }),
  )
}

/** Returns the name that the list last had. */
async function nameOf({ profiles }: AlertContext, id: string): Promise<string | undefined> {
  return (await profiles.peek())?.value.profiles.find((profile) => profile.id === id)?.name
}

function causeOf({ id, name }: { id: string; name: string }): Cause {
  return { id, name, isTeam: true }
}

/** All of a profile, or the one with this name: `email.1`, `slack`. */
function pickDestinations(
  { notifications }: AlertProfileStates['alert_profiles'][number],
  name: string | undefined,
): Destination[] {
  const found = listNamedDestinations(notifications).filter((one) => name === undefined || one.name === name)
  if (name !== undefined && found.length === 0)
    throw notFound('The profile has no such destination any more.')
  return found.map(({ channel, destination }) => ({ channel, destination }))
}

function actionOf({ state, ...rest }: AlertChange): AuditAction {
  if (state === undefined || Object.keys(rest).length > 0) return 'alert-changed'
  return state === 'paused' ? 'alert-paused' : 'alert-resumed'
}

function toChangeProblem(error: unknown, change: AlertChange = {}): unknown {
  if (!(error instanceof UpstreamError)) return error
  if (error.kind === 'unclear')
    return new ProblemError({
      code: 'alert_unclear',
      detail:
        'This was sent, and the vendor broke off before it answered. Look whether it was done, then try again.',
      set: 'earlier',
      cause: error,
    })
  // A vendor names no profile by an id that no path can carry.
  if (['not_found', 'id_refused', 'unsendable'].includes(error.kind)) return noProfile(error)
  if (error.kind !== 'rejected') return toProblem(error)
  const { name = '', keywords = [], categories = [], email = [], slack = null, teams = null } = change
  const draft = { name, keywords, categories, email, slack, teams }
  return toRefusal(error, draft)
}

function noProfile(cause?: unknown): ProblemError {
  return new ProblemError({ code: 'not_found', detail: 'The vendor has no such profile any more.', cause })
}
