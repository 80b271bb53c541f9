import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#bff/http/log.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { unlessAborted } from '#bff/vendor/cache/unless-aborted.ts'
import type { Caller } from '#bff/vendor/client/caller.ts'
import { describeFailure, toProblem } from '#bff/vendor/client/to-problem.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { readAlertProfile, type ToldProfile } from '#bff/vendor/reader/read-alert-profiles.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { AlertCreated, AlertDraft } from '#contract/bff/alert.ts'
import type { Database } from '#database/database.ts'
import {
  type CreationName,
  claimCreation,
  dropCreation,
  readCreation,
  writeCreation,
} from './creation-queries.ts'
import { findDraft } from './find-draft.ts'
import type { ProfileList } from './profile-list.ts'
import { maskWords, refusedFields } from './refused-fields.ts'

export type Created = { profile: ToldProfile; outcome: AlertCreated['outcome'] }

/** How long a browser is kept waiting: together shorter than it waits. */
export type CreationPatience = { answerMs: number; readBackMs: number }
const PATIENCE: CreationPatience = { answerMs: 6_500, readBackMs: 4_500 }
const LOOK_AGAIN_MS = 150

export type CreateAlertDependencies = {
  upstream: Pick<Upstream, 'call'>
  database: Database
  clock: Clock
  profiles: ProfileList
  categories: Pick<SeenCategories, 'addFromMessage'>
  source: string
  log: Log
  /** Keys the hashes of drafts. */
  secret: string
  patience?: CreationPatience
}

export type CreateAlert = (draft: AlertDraft, caller: Caller) => Promise<Created>

/** Creates a profile with one POST. What became of a POST whose answer is lost is looked up in the list. */
export function createCreateAlert({
  upstream,
  database,
  clock,
  profiles,
  categories,
  source,
  log,
  secret,
  patience = PATIENCE,
}: CreateAlertDependencies): CreateAlert {
  /** Goes on when nobody waits any longer, so that what came of it is known. */
  async function send(draft: AlertDraft, name: CreationName, caller: Caller): Promise<ToldProfile> {
    try {
      const { email, slack, teams, ...watch } = draft
      const body = { ...watch, notifications: { email, slack, teams } }
      const profile = readAlertProfile(await upstream.call('createAlert', { body }, caller))
      if (!profile) throw unclear('no profile in the answer')
      await note(writeCreation(database, name, { state: 'created', profile }))
      return profile
    } catch (error) {
      const isLost = isUnclear(error)
      await note(
        isLost
          ? writeCreation(database, name, { state: 'unclear', profile: null })
          : dropCreation(database, name),
      )
      throw error
    }
  }

  async function lookUp(draft: AlertDraft, name: CreationName, wish: Wish): Promise<Created> {
    const profile = await readBack(draft, wish)
    await note(writeCreation(database, name, { state: 'created', profile }))
    return { profile, outcome: 'found' }
  }

  /** What the vendor has done is told also where it cannot be written down. */
  const note = (writing: Promise<void>) =>
    writing.catch((error: unknown) => log.error('alert-creation-not-written-down', error))

  async function readBack(draft: AlertDraft, { caller, sentAtMs, knownIds }: Wish): Promise<ToldProfile> {
    try {
      const listed = await unlessAborted(
        profiles.readNow(caller),
        AbortSignal.timeout(patience.readBackMs),
        () => new UpstreamError({ set: 'earlier', kind: 'timeout', reason: 'nobody waits any longer' }),
      )
      const found = findDraft(draft, listed, { sentAtMs, knownIds })
      if (found) return found
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      throw problemUnclear(`Its list cannot be read back either: ${describeFailure(error)}`, error)
    }
    throw problemUnclear('The profile is not in the list now; it may still appear.')
  }

  /** The same draft was sent a moment ago: what came of it is this one's answer too. */
  async function follow(draft: AlertDraft, name: CreationName, wish: Wish): Promise<Created> {
    const until = performance.now() + patience.answerMs
    while (performance.now() < until) {
      const creation = await readCreation(database, name)
      if (!creation) throw new ProblemError({ code: 'conflict', detail: SENT_TWICE })
      if (creation.state === 'created') return { profile: creation.profile, outcome: 'created' }
      if (creation.state === 'unclear') break
      await sleep(LOOK_AGAIN_MS)
    }
    return lookUp(draft, name, wish)
  }

  return async (draft, caller) => {
    const draftHash = createHmac('sha256', secret)
      .update(`alert-draft\n${JSON.stringify(draft)}`)
      .digest()
    const name = { source, account: caller.who ?? '', draftHash }
    const wish = { caller, sentAtMs: clock.nowMs(), knownIds: profiles.knownIds() }
    if (!(await claimCreation(database, name, new Date(wish.sentAtMs)))) return follow(draft, name, wish)
    try {
      const sent = send(draft, name, caller)
      const profile = await unlessAborted(sent, AbortSignal.timeout(patience.answerMs), () =>
        unclear('no answer so far'),
      )
      return { profile, outcome: 'created' }
    } catch (error) {
      if (isUnclear(error)) return lookUp(draft, name, wish)
      if (error instanceof UpstreamError && error.kind === 'rejected') {
        categories.addFromMessage(error.words ?? '')
        throw refusal(error, draft)
      }
      throw toProblem(error)
    }
  }
}

type Wish = { caller: Caller; sentAtMs: number; knownIds: ReadonlySet<string> | null }

const SENT_TWICE = 'The same profile was sent twice at once, and the source did not take it. Try again.'

function isUnclear(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'unclear'
}

function unclear(reason: string): UpstreamError {
  return new UpstreamError({ set: 'earlier', kind: 'unclear', reason })
}

function problemUnclear(known: string, cause?: unknown): ProblemError {
  return new ProblemError({
    code: 'alert_unclear',
    detail: `The source broke off before it answered. ${known} Look in the list before you create it again.`,
    set: 'earlier',
    cause,
  })
}

function refusal(error: UpstreamError, draft: AlertDraft): ProblemError {
  const words = maskWords(error.words ?? 'It did not say why.', draft)
  const fields = refusedFields(words, draft)
  return new ProblemError({
    code: 'alert_refused',
    detail: fields.length > 0 ? 'Correct the fields named here.' : `The source says: ${words}`,
    set: 'earlier',
    fields,
    cause: error,
  })
}
