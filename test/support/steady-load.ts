import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { THREAT } from './several-nodes.ts'

export const REQUESTS_PER_SECOND = 40

export type Answer = {
  what: string
  isWrite: boolean
  /** Null where nothing was answered. */
  status: number | null
  durationMs: number
  note: Note | null
}
export type Note = { text: string; idempotencyKey: string }
type Ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<{ status: number }>

/** Sends 40 requests a second, however long each takes: five reads, then three writes, over and over. */
export function startLoad(ask: Ask) {
  const stopping = new AbortController()
  const answers: Promise<Answer>[] = []
  const reads = ['/bff/threats', '/bff/overview', '/', `/bff/triage/${THREAT}/history`, '/bff/views'] as const
  async function send(at: number): Promise<Answer> {
    const turn = at % 8
    const path = reads[turn]
    const isWrite = path === undefined
    const note = turn === 5 ? { text: `note ${at}`, idempotencyKey: randomUUID() } : null
    const what = path ? `GET ${path}` : note ? 'note' : turn === 6 ? 'PUT default view' : 'star'
    const startedMs = performance.now()
    const answer = path
      ? ask('GET', path)
      : turn === 6
        ? ask('PUT', '/bff/views/default', { id: null })
        : ask('POST', '/bff/triage', {
            ids: [THREAT],
            ...(note ? { action: 'note', ...note } : { action: 'star' }),
          })
    const status = await answer.then(
      (answered) => answered.status,
      () => null,
    )
    return { what, isWrite, note, status, durationMs: performance.now() - startedMs }
  }
  const startedMs = performance.now()
  const sending = (async () => {
    for (let at = 0; !stopping.signal.aborted; at++) {
      answers.push(send(at))
      await sleep(Math.max(0, startedMs + ((at + 1) * 1_000) / REQUESTS_PER_SECOND - performance.now()))
    }
  })()
  return {
    async stop(): Promise<Answer[]> {
      stopping.abort()
      await sending
      return Promise.all(answers)
    },
  }
}

export function describeLoad(answers: readonly Answer[]): string {
  const failed = answers.filter(({ status }) => status === null || status >= 400)
  const writes = answers.filter(({ isWrite }) => isWrite)
  const slowest = Math.max(...answers.map(({ durationMs }) => durationMs))
  const slow = answers.filter(({ durationMs }) => durationMs > 2_000).length
  const text = `${answers.length} requests, ${writes.length} of them writes: ${failed.length} failed (${failed.filter(({ isWrite }) => isWrite).length} writes), ${slow} took more than 2 s, the slowest ${Math.round(slowest)} ms`
  console.log(text)
  return text
}
