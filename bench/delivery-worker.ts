import { request } from 'node:http'
import { listen } from '#database/listen.ts'
import { openDatabase } from '#database/open-database.ts'
import type { Answer, Channel, Send } from '#delivery/channels/channel.ts'
import { runDeliveries } from '#delivery/run-deliveries.ts'
import { createBenchClock } from './delivery-clock.ts'

/** One of the processes that `bench/delivery.ts` kills: `node delivery-worker.ts DATABASE SECRET SPEED ORIGIN`. */
const [url = '', secret = '', speed = '1', origin = '0'] = process.argv.slice(2)

/** Posts what a receiver needs to know of a message. */
const send: Send = async ({ message, destination, deliveryId, signal, onBody }) => {
  await onBody?.()
  return new Promise<Answer>((resolve) => {
    let isSent = false
    const posting = request(destination, { method: 'POST', signal, agent: false }, (response) => {
      const { statusCode = 0, headers } = response
      response.resume().on('end', () => resolve(answerOf(statusCode, headers['retry-after'])))
    })
    posting.on('finish', () => {
      isSent = true
    })
    posting.on('error', () => resolve(isSent ? { kind: 'unclear', excerpt: 'no answer' } : UNREACHED))
    posting.setHeader('webhook-id', deliveryId)
    posting.end(JSON.stringify({ count: message.kind === 'matches' ? message.count : 0 }))
  })
}

const UNREACHED: Answer = { kind: 'refused', code: null, excerpt: '', isPermanent: false, retryAfterMs: null }

function answerOf(status: number, retryAfter: string | undefined): Answer {
  const code = String(status)
  if (status < 300) return { kind: 'accepted', code, excerpt: '' }
  const retryAfterMs = retryAfter === undefined ? null : Number(retryAfter) * 1_000
  return { kind: 'refused', code, excerpt: '', isPermanent: status === 410, retryAfterMs }
}

const channels: Record<string, Channel> = {
  plain: { send, recognizesRepeats: false },
  telling: { send, recognizesRepeats: true },
}
const database = await openDatabase({ url })
const worker = runDeliveries({
  database,
  channels,
  secret,
  linkTo: (id) => id,
  onError: (error) => console.error(error),
  readNow: createBenchClock(Number(speed), Number(origin)),
  ...(speed !== '1' && { pollMs: 250 }),
})
await listen(database.pool, [worker.notices], (error) => console.error(error))
