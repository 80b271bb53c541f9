import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Database } from '#database/database.ts'
import { type Loop, pause, startLoop } from '#server/start-loop.ts'
import type { LeaveOutRemoved } from './causes.ts'
import type { Answer, Channel } from './channels/channel.ts'
import { refuse } from './channels/read-answer.ts'
import { type Busy, type Claimed, claimDelivery } from './claim-delivery.ts'
import { completeAbandoned, completeAttempt, extendLeases, markBody, notePages } from './complete-attempt.ts'
import { composeMessage } from './compose-message.ts'
import { openDestination } from './destinations.ts'
import { gatherMatches } from './gather-matches.ts'
import { DELIVERY_CHANNEL, type ReadNow, readDatabaseTime } from './ledger-access.ts'
import type { Message } from './message.ts'
import { RATE, type Rate } from './retry-rules.ts'

/** The longest delay of a retry, and of a match whose database notification was lost. */
const POLL_MS = 2_000
const HEARTBEAT_MS = 2_000
/** A safety limit: every channel has a shorter timeout of its own. */
const ATTEMPT_MAX_MS = 90_000
/** The extra time for an attempt that ignores its abort signal. */
const OVERDUE_MS = 2_000
const DRAIN_MS = 4_000
const AT_ONCE_MAX = 256
/** The most concurrent attempts per server, so that a server that does not answer cannot block the others. */
const OF_LINE_MAX = 8
const OF_DESTINATION_MAX = 2
const COMPLETE_RETRY_MS = 1_000

export type DeliveryOptions = {
  readonly database: Database
  /** Channels by name. A delivery of another channel waits for a worker that has it. */
  readonly channels: Readonly<Record<string, Channel>>
  /** Destinations were sealed with this secret. */
  readonly secret: string
  /** Absolute link to the threats of a delivery. */
  readonly linkTo: (deliveryId: string) => string | Promise<string>
  readonly onError: (error: unknown) => void
  /** Marks removed recipients before each attempt. Without it, no recipient is removed. */
  readonly leaveOutRemoved?: LeaveOutRemoved
  readonly rateOf?: (channel: string) => Rate
  readonly readNow?: ReadNow
  readonly random?: () => number
  readonly pollMs?: number
}

export type DeliveryWorker = {
  /** The connection that listens for database notifications calls this when something may be due. */
  readonly notices: { readonly name: string; onNotice(): void }
  /** Claims no further delivery, and waits up to 4 seconds for attempts in progress. */
  stop(): Promise<void>
}

/** Sends due deliveries. Any number of processes can do this concurrently. */
export function runDeliveries(options: DeliveryOptions): DeliveryWorker {
  const sender = createSender(options)
  const { pollMs = POLL_MS, onError } = options
  const sending: Loop = startLoop(
    async () => {
      await sender.pass(() => sending.wake())
    },
    { everyMs: pollMs, onFault: onError },
  )
  const heartbeat = setInterval(() => void sender.beat().catch(onError), HEARTBEAT_MS)
  return {
    notices: { name: DELIVERY_CHANNEL, onNotice: sending.wake },
    async stop() {
      await sending.stop()
      await sender.drain()
      clearInterval(heartbeat)
    },
  }
}

export function createSender({
  database,
  channels,
  secret,
  linkTo,
  onError,
  leaveOutRemoved = async () => {},
  rateOf = () => RATE,
  readNow = readDatabaseTime,
  random = Math.random,
}: DeliveryOptions) {
  const worker = randomUUID()
  const named = new Map(Object.entries(channels))
  const recognizesRepeats = new Map([...named].map(([name, channel]) => [name, channel.recognizesRepeats]))
  const open = (sealed: Parameters<typeof openDestination>[0]) => openDestination(sealed, secret)
  const claiming: Omit<Parameters<typeof claimDelivery>[1], 'busy'> = {
    worker,
    channels: [...named.keys()],
    rateOf,
    readNow,
    leaveOutRemoved: (tx, due) => leaveOutRemoved(tx, { ...due, destination: open(due) }),
  }
  const underWay = new Map<Promise<void>, Claimed>()
  const closing = new AbortController()
  /** True while a claimed attempt reads its threats. On a slow database, that can take longer than the lease. */
  let isComposing = false

  function listBusy(): Busy {
    const sent = [...underWay.values()]
    return {
      destinations: fullOf(
        sent.map(({ destinationId }) => destinationId),
        OF_DESTINATION_MAX,
      ),
      lines: fullOf(
        sent.map(({ line }) => line),
        OF_LINE_MAX,
      ),
    }
  }

  async function answerOf(claimed: Claimed, message: Message | null): Promise<Answer> {
    const channel = named.get(claimed.channel)
    const destination = open(claimed)
    if (!channel || destination === null)
      return refuse('The destination was sealed by another SECRET: enter it again', true)
    const { id: deliveryId } = claimed
    if (!message) return refuse('Lantern could not write the message')
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ATTEMPT_MAX_MS)])
    try {
      const onBody = () => markBody(database, claimed, readNow)
      const note = (pagesTaken: number) => notePages(database, deliveryId, pagesTaken)
      const progress = { pagesTaken: claimed.pagesTaken, note }
      const sending = channel.send({ message, destination, deliveryId, signal, onBody, progress })
      return await Promise.race([sending, untilOverdue(signal)])
    } catch (error) {
      onError(error)
      return { kind: 'unclear', excerpt: 'Lantern failed while it sent this' }
    }
  }

  /** Retries while the process lives, if the database cannot store the answer yet. */
  async function complete(claimed: Claimed, answer: Answer): Promise<void> {
    const { id, number, channel } = claimed
    for (;;) {
      try {
        const recognizes = recognizesRepeats.get(channel) ?? false
        return await completeAttempt(database, {
          id,
          number,
          answer,
          recognizesRepeats: recognizes,
          random,
          readNow,
        })
      } catch (error) {
        onError(error)
        if (closing.signal.aborted) return
        await pause(COMPLETE_RETRY_MS)
      }
    }
  }

  async function deliver(claimed: Claimed, message: Message | null): Promise<void> {
    await complete(claimed, await answerOf(claimed, message))
  }

  /** The content does not change once the delivery is claimed. */
  async function compose({ id: deliveryId, content, channel }: Claimed): Promise<Message | null> {
    try {
      const hasPages = named.get(channel)?.hasPages ?? false
      return await composeMessage(database, { deliveryId, content, linkTo, hasPages })
    } catch (error) {
      onError(error)
      return null
    }
  }

  /** Waits until nothing is being sent. */
  async function finish(): Promise<void> {
    await Promise.all(underWay.keys())
  }

  return {
    finish,
    /** Starts all due attempts, up to the limits, and returns their number. The attempts continue after the return. */
    async pass(onFree: () => void = () => {}): Promise<number> {
      let taken = 0
      await completeAbandoned(database, { recognizesRepeats, random, readNow })
      await gatherMatches(database, readNow)
      while (underWay.size < AT_ONCE_MAX) {
        const claimed = await claimDelivery(database, { ...claiming, busy: listBusy() })
        if (claimed === null) break
        if (claimed === 'put aside') continue
        isComposing = true
        const message = await compose(claimed)
        isComposing = false
        const delivering: Promise<void> = deliver(claimed, message).finally(() => {
          underWay.delete(delivering)
          onFree()
        })
        underWay.set(delivering, claimed)
        taken++
      }
      return taken
    },
    async beat(): Promise<void> {
      if (underWay.size > 0 || isComposing) await extendLeases(database, worker, readNow)
    },
    /** Also waits for attempts in progress, for 4 seconds at most. A longer attempt is aborted and becomes unclear. */
    async drain(): Promise<void> {
      const isLate = setTimeout(() => closing.abort(), DRAIN_MS)
      await finish()
      clearTimeout(isLate)
    },
  }
}

/** Returns the names that occur at least `max` times. */
function fullOf(names: readonly string[], max: number): string[] {
  return [...Map.groupBy(names, (name) => name)].flatMap(([name, { length }]) => (length < max ? [] : [name]))
}

async function untilOverdue(signal: AbortSignal): Promise<Answer> {
  if (!signal.aborted) await once(signal, 'abort')
  await pause(OVERDUE_MS)
  return { kind: 'unclear', excerpt: 'The channel did not end' }
}
