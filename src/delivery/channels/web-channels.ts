import type { LookupFunction } from 'node:net'
import type { WebhookKind } from '#contract/bff/recipient.ts'
import { isProxied } from '#server/forward-proxy.ts'
import {
  bareHost,
  findAddresses,
  isPublicAddress,
  pinTo,
  type ResolveHost,
  resolveHost,
} from '#server/public-host.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import { writeCard } from '../messages/write-card.ts'
import { writeSlack } from '../messages/write-slack.ts'
import { pagesOf, writeWebhook } from '../messages/write-webhook.ts'
import type { Answer, Attempt } from './channel.ts'
import { type PlacedDestination, placeDestination, type Reach } from './destination.ts'
import { postJson } from './post-json.ts'
import { readAnswer, refuse, type Verdicts } from './read-answer.ts'
import { signWebhook } from './sign-webhook.ts'

export type WebChannelOptions = Reach & {
  resolve?: ResolveHost
  /** Each request may take this long in all. */
  timeoutMs?: number
}

const TOTAL_MS = 25_000

/** These codes are permanent: the address is deleted or wrong, or the message itself is refused. */
const GONE = new Set([400, 401, 403, 404, 405, 410, 413])

/** Incoming webhooks of Slack: only `ok` is an acceptance, since error pages have status 200 too. */
const SLACK: Verdicts = {
  isAccepted: ({ status, body }) => status === 200 && body.trim() === 'ok',
  permanent: GONE,
}

/** Workflows of Teams: 202 says that the flow is queued, not that it has posted. */
const TEAMS: Verdicts = { isAccepted: ({ status }) => status === 200 || status === 202, permanent: GONE }

/** In Standard Webhooks only 410 ends a destination. Another code may be a deployment in progress. */
const WEBHOOK: Verdicts = {
  isAccepted: ({ status }) => status >= 200 && status < 300,
  permanent: new Set([410]),
  gone: 410,
}

type Written = { body: string; headers: Record<string, string> }

export function sendToSlack(options: WebChannelOptions, attempt: Attempt): Promise<Answer> {
  const write = () => ({ body: writeSlack(attempt.message), headers: {} })
  return sendTo({ kind: 'slack', verdicts: SLACK, write }, options, attempt)
}

export function sendToTeams(options: WebChannelOptions, attempt: Attempt): Promise<Answer> {
  const write = () => ({ body: writeCard(attempt.message), headers: {} })
  return sendTo({ kind: 'teams', verdicts: TEAMS, write }, options, attempt)
}

export type WebhookOptions = WebChannelOptions & {
  secretsOf(destination: string): Promise<readonly string[]>
}

/**
 * Sends one page after the other, from the first that the destination has not accepted. Pages are signed by the Standard
 * Webhooks specification, with each of the secrets that the destination has.
 */
export async function sendToWebhook(options: WebhookOptions, attempt: Attempt): Promise<Answer> {
  const { length } = pagesOf(attempt.message)
  for (let page = (attempt.progress?.pagesTaken ?? 0) + 1; ; page++) {
    const write = () => signPage(options, attempt, page)
    const answer = await sendTo({ kind: 'webhook', verdicts: WEBHOOK, write }, options, attempt)
    if (length === 1) return answer
    if (answer.kind !== 'accepted' || page >= length)
      return { ...answer, excerpt: `Page ${page} of ${length}: ${answer.excerpt}` }
    await attempt.progress?.note(page)
  }
}

async function signPage(
  { secretsOf }: WebhookOptions,
  { message, destination, deliveryId }: Attempt,
  page: number,
): Promise<Written | null> {
  const now = new Date()
  const body = writeWebhook(message, now, page)
  const id = message.kind === 'matches' ? `${deliveryId}-${page}` : deliveryId
  const seconds = Math.floor(now.getTime() / 1_000)
  const headers = signWebhook({ id, seconds, body }, await secretsOf(destination))
  return headers && { body, headers }
}

type Writes = {
  kind: WebhookKind | 'webhook'
  verdicts: Verdicts
  /** Null where it cannot be signed. */
  write(): Written | null | Promise<Written | null>
}

async function sendTo(
  { kind, verdicts, write }: Writes,
  options: WebChannelOptions,
  { destination, signal: given, onBody }: Attempt,
): Promise<Answer> {
  const { proxy, resolve = resolveHost, timeoutMs = TOTAL_MS } = options
  const place = placeDestination(kind, destination, options)
  if (place.kind === 'refused') return refuse(place.reason, true)
  const signal = AbortSignal.any([given, AbortSignal.timeout(timeoutMs)])
  const found = await findWay(place, { proxy, resolve, signal })
  if (found.kind === 'none') return refuse(found.reason)
  const written = await write()
  if (!written) return refuse('It has no secret that it could be signed with.', true)
  const { url } = place
  const post = { url, written: destination, ...written, lookup: found.lookup, proxy, signal, onBody }
  return readAnswer(await postJson(post), destination, verdicts)
}

/** The addresses that a connection may go to, all of them looked at. */
async function findWay(
  { url, mayBePrivate }: Extract<PlacedDestination, { kind: 'allowed' }>,
  { proxy, resolve, signal }: { proxy: Reach['proxy']; resolve: ResolveHost; signal: AbortSignal },
): Promise<{ kind: 'found'; lookup: LookupFunction | undefined } | { kind: 'none'; reason: string }> {
  if (isProxied(proxy, url)) return { kind: 'found', lookup: undefined }
  const looking = findAddresses(bareHost(url), resolve)
  const addresses = await unlessAborted(looking, signal, () => new Error('too long')).catch(() => [])
  if (addresses.length === 0) {
    return { kind: 'none', reason: signal.aborted ? 'Host name lookup timed out.' : 'Host name not found.' }
  }
  if (!mayBePrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    return {
      kind: 'none',
      reason: 'Its host lies inside a private network, and NOTIFY_HOSTS does not name it.',
    }
  }
  return { kind: 'found', lookup: pinTo(addresses) }
}
