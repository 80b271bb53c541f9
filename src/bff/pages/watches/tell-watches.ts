import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'
import { addInboxItems, type NewInboxItem } from '#bff/notify/inbox-queries.ts'
import { createLedgerAccess, openRecipient } from '#bff/notify/recipient-seals.ts'
import {
  type FollowedView,
  readFollowedViews,
  readRecipients,
  type StoredRecipient,
  stopUnfitWatches,
} from '#bff/notify/watch-queries.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import type { News, OnNews } from '#bff/store/sync/store-page.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import { severitySchema } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import type { Destination } from '#delivery/destinations.ts'
import { enqueueMatches, type Match } from '#delivery/enqueue.ts'
import type { ToldThreat } from '#delivery/message.ts'

/** What was published longer ago and is listed only now is no news. */
const NEWS_MAX_AGE_MS = 7 * DAY_MS

const markSchema = z.array(z.object({ readTo: z.coerce.date() }))

export type TellWatchesDependencies = {
  store: Pick<ThreatStore, 'matchFacts'>
  clock: Clock
  secret: string
  /** Where browsers find us. */
  origin: string
  /** Whether a mail server is set up. */
  hasEmail: boolean
  log: Log
}

/**
 * Matches what is new against every watched view, and writes down whom to tell: in the transaction that stores it, so that
 * neither is there without the other.
 */
export function createTellWatches(dependencies: TellWatchesDependencies): OnNews {
  const { clock, secret, log } = dependencies
  const access = createLedgerAccess(secret)

  async function matchesOf(tx: Database, view: FollowedView, news: readonly Threat[]): Promise<Threat[]> {
    const recent = news.filter(({ publishedAt }) => publishedAt === null || publishedAt >= view.createdAt)
    if (recent.length === 0) return []
    const facts = await readFactsOf(
      tx,
      recent.map(({ id }) => id),
    )
    const filter = { ...view.filter, timeZone: view.timeZone }
    try {
      const bounds = feedBounds(filter, clock.nowMs())
      const ids = new Set(await dependencies.store.matchFacts(filter, bounds, facts))
      return recent.filter(({ id }) => ids.has(id))
    } catch (error) {
      // A search that has lost its meaning, such as of a profile that is gone, keeps no other watch from being told.
      log.error('watch-not-evaluated', error, { watch: view.id })
      return []
    }
  }

  return async (tx, news) => {
    const threats = await takeNews(tx, news, clock.nowMs())
    if (threats.length === 0) return
    await stopUnfitWatches(tx)
    for (const view of await readFollowedViews(tx)) {
      const matched = await matchesOf(tx, view, threats)
      if (matched.length === 0) continue
      const recipients = await readRecipients(tx, view.id)
      const destinations = destinationsOf(recipients, dependencies)
      const cause = { kind: 'watch', id: view.id, name: view.viewName } as const
      const matches = matched.map((threat): Match => {
        const event = `threat ${threat.id}`
        return { event, cause, threat: toTold(threat, view, dependencies.origin), destinations }
      })
      await enqueueMatches(tx, matches, access)
      if (view.state === 'active') await addInboxItems(tx, inboxItemsOf(view, matched, recipients))
    }
  }
}

/**
 * What people have not been told of. While the window is filled, at first or anew, that is only what was published since
 * Lantern last knew all threats.
 */
async function takeNews(tx: Database, { threats, isCatchingUp, state }: News, nowMs: number) {
  const { rows } = await tx.query('select read_to as "readTo" from watch_mark')
  const readTo = markSchema.parse(rows)[0]?.readTo.toISOString()
  if (state.status === 'complete') {
    await tx.query(
      `insert into watch_mark (read_to) values ($1)
       on conflict (is_single) do update set read_to = greatest(watch_mark.read_to, excluded.read_to)`,
      [state.storedTo],
    )
  }
  const oldest = new Date(nowMs - NEWS_MAX_AGE_MS).toISOString()
  return threats.filter(({ publishedAt }) =>
    isCatchingUp
      ? publishedAt === null || publishedAt >= oldest
      : publishedAt !== null && readTo !== undefined && publishedAt > readTo && publishedAt >= oldest,
  )
}

/** Where messages of a watch go; people without access are told nothing. */
export function destinationsOf(
  recipients: readonly StoredRecipient[],
  { secret, hasEmail }: { secret: string; hasEmail: boolean },
): Destination[] {
  return recipients.flatMap(({ channel, email, fingerprint, sealed }): Destination[] => {
    if (channel === 'user')
      return hasEmail && email !== null ? [{ channel: 'email', destination: email }] : []
    if (fingerprint === null || sealed === null) return []
    const destination = openRecipient(secret, channel, { fingerprint, sealed })
    return destination === null ? [] : [{ channel, destination }]
  })
}

function toTold(threat: Threat, { filter }: FollowedView, origin: string): ToldThreat {
  const [actor = null] = threat.actors
  const [victim = null] = threat.organizations
  return {
    id: threat.id,
    title: storable(threat.title ?? 'Untitled threat'),
    severity: severitySchema.safeParse(threat.severity?.toLowerCase()).data ?? null,
    category: threat.category && storable(threat.category),
    actor: actor && storable(actor),
    victim: victim && storable(victim),
    countries: threat.countries.map(({ name }) => storable(name)),
    publishedAt: threat.publishedAt,
    matchedWords: filter.q === undefined ? [] : [storable(filter.q)],
    link: `${origin}/threats/${pathSegment(threat.id)}`,
  }
}

/** No database holds NUL or half a character in JSON. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** For whose watch it is, and the users whom it tells. */
function inboxItemsOf(
  { accountId, viewId, viewName }: FollowedView,
  matched: readonly Threat[],
  recipients: readonly StoredRecipient[],
): NewInboxItem[] {
  const users = recipients.flatMap(({ userId, email }) => (userId !== null && email !== null ? userId : []))
  const [first] = matched
  const title = `${matched.length === 1 ? '1 new threat' : `${matched.length} new threats`} in ${viewName}`
  const detail = storable(first?.title ?? 'Untitled threat')
  return [...new Set([accountId, ...users])].map((id) => ({
    accountId: id,
    kind: 'matches',
    title,
    detail,
    path: `/threats?view=${viewId}`,
  }))
}
