import { onTestFinished } from 'vitest'
import type { Database } from '#database/database.ts'
import type { Answer, Channel, Send } from '#delivery/channels/channel.ts'
import { type Destination, storeDestinations } from '#delivery/destinations.ts'
import { enqueueMatches, insertDeliveries, type Match } from '#delivery/enqueue.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import type { Message, NotifiedThreat } from '#delivery/message.ts'
import { createSender, type DeliveryOptions } from '#delivery/run-deliveries.ts'

export const SECRET = 'a secret of thirty-two characters'

export const ACCEPTED: Answer = { kind: 'accepted', code: '200', excerpt: 'ok' }
export const UNCLEAR: Answer = { kind: 'unclear', excerpt: 'The line ended' }

export function refused(more: Partial<Extract<Answer, { kind: 'refused' }>> = {}): Answer {
  return { kind: 'refused', code: '503', excerpt: 'busy', isPermanent: false, retryAfterMs: null, ...more }
}

export type Sent = { deliveryId: string; destination: string; message: Message }

/** A message that has left, and whose answer a test gives. */
export function holdAnswer() {
  const left = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const send: Send = async ({ onBody }) => {
    await onBody?.()
    left.resolve()
    return promise
  }
  return { send, left: left.promise, answer: resolve }
}

/** Answers as it is told, one after the other, then accepts all; keeps what it was given. */
export function scriptChannel(
  answers: (Answer | Send)[] = [],
  { recognizesRepeats = false }: { recognizesRepeats?: boolean } = {},
): Channel & { sent: Sent[] } {
  const sent: Sent[] = []
  return {
    recognizesRepeats,
    sent,
    async send(attempt) {
      const { deliveryId, destination, message } = attempt
      sent.push({ deliveryId, destination, message })
      const answer = answers.shift() ?? ACCEPTED
      try {
        if (typeof answer === 'function') return await answer(attempt)
        await attempt.onBody?.()
        return answer
      } catch {
        return refused({ code: null, excerpt: 'Nothing has left' })
      }
    },
  }
}

/** A ledger's time, which a test sets. */
export function createLedger(database: Database, at = '2026-11-22T12:00:00Z') {
  let nowMs = Date.parse(at)
  const readNow = async () => new Date(nowMs)
  const access: LedgerAccess = {
    secret: SECRET,
    readNow,
  }
  return {
    access,
    readNow,
    pass(ms: number) {
      nowMs += ms
    },
    /** A worker that works when it is told to, until nothing is due. */
    createWorker(channels: DeliveryOptions['channels'], more: Partial<DeliveryOptions> = {}) {
      let isOver = false
      const sender = createSender({
        database,
        channels,
        secret: SECRET,
        linkTo: (id) => `https://lantern.example/deliveries/${id}`,
        onError(error) {
          if (!isOver) throw error
        },
        rateOf: () => ({ everyMs: 0, burst: 1 }),
        random: () => 1,
        readNow,
        ...more,
      })
      // What is never answered is given up long after the test, and then its database is gone.
      onTestFinished(() => {
        isOver = true
        void sender.drain()
      })
      return {
        ...sender,
        async work() {
          while ((await sender.pass()) > 0) await sender.finish()
        },
      }
    },
  }
}

export function aNotifiedThreat(id: string, more: Partial<NotifiedThreat> = {}): NotifiedThreat {
  return {
    id,
    title: `Threat ${id}`,
    severity: 'high',
    category: null,
    actor: null,
    victim: null,
    countries: [],
    publishedAt: '2026-11-22T11:00:00Z',
    matchedWords: ['acme'],
    link: `https://lantern.example/threats/${id}`,
    ...more,
  }
}

export const PROFILE = { id: 'p1', name: 'Acme', isTeam: true } as const

/** A match with its destinations in the clear. */
export type MatchTo = Omit<Match, 'destinationIds'> & { readonly destinations: readonly Destination[] }

/** Stores the destinations of matches, and enqueues them. */
export async function enqueueTo(
  tx: Database,
  matches: readonly MatchTo[],
  access: LedgerAccess,
): Promise<number> {
  const all = matches.flatMap(({ destinations }) => destinations)
  const find = await storeDestinations(tx, all, access.secret)
  const stored = matches.map(({ destinations, ...match }) => ({
    ...match,
    destinationIds: destinations.map((one) => find(one).id),
  }))
  return enqueueMatches(tx, stored, access)
}

/** A match of one profile, told to one place by the channel `slack`. */
export function aMatch(id: string, more: Partial<MatchTo> = {}): MatchTo {
  return {
    event: `threat:${id}`,
    cause: PROFILE,
    threat: aNotifiedThreat(id),
    destinations: [{ channel: 'slack', destination: 'https://hooks.example/a' }],
    ...more,
  }
}

/** Ids of the told threats, in the order of the messages. */
export function threatIdsIn(sent: readonly Sent[]): string[][] {
  return sent.map(({ message }) => (message.kind === 'matches' ? message.threats.map(({ id }) => id) : []))
}

/** Sends a test to one destination. Returns its id in the ledger. */
export async function sendTest(
  tx: Database,
  { to, ...test }: { to: Destination } & Omit<Extract<Message, { kind: 'test' }>, 'kind'>,
  access: LedgerAccess,
): Promise<string> {
  const [id = ''] = await insertDeliveries(tx, [to], { kind: 'test', ...test }, access)
  return id
}
