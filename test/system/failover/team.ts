import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { triageHistorySchema } from '#contract/bff/triage.ts'

const WRITE_PAUSE_MS = 50
const READ_PAUSE_MS = 100
/** What a person waits for before they press again. */
const PATIENCE_MS = 15_000
/** A threat's history shows the newest 200 events. */
const NOTES_PER_THREAT = 190

const labelSchema = z.object({ freshness: z.pick(freshnessSchema, { isStale: true, staleReason: true }) })

export type Read = {
  origin: string
  path: string
  status: number
  atMs: number
  tookMs: number
  isLabelled: boolean
}
export type Write = { writer: number; atMs: number; tookMs: number; attempts: number }

export type Team = {
  /** The last of the origins. */
  balancer: string
  reads: Read[]
  writes: Write[]
  /** Tries that were not acknowledged, by what was said. */
  refusals: Map<string, number>
  /** Stops, then counts what each threat's history has of each acknowledged note, and which stars are there. */
  stop(): Promise<{ notes: number; stars: number; lost: number; doubled: number }>
}

type Asked = { cookie: string; threats: readonly string[] }

/** At every dashboard one person who writes without a pause, and one who reads: pages, and searches that nobody made before. */
export function startTeam(dashboards: readonly string[], { cookie, threats }: Asked): Team {
  const stopping = new AbortController()
  const reads: Read[] = []
  const writes: Write[] = []
  const refusals = new Map<string, number>()
  const notes = new Map<string, string>()
  const starred = new Set<string>()

  const ask = (origin: string, path: string, body?: unknown) =>
    fetch(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-lantern': '1',
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const refuse = (why: string) => refusals.set(why, (refusals.get(why) ?? 0) + 1)

  /** As the app does: the same write again, by the same name, until it is acknowledged; by another dashboard each time. */
  async function write(first: number, body: unknown): Promise<void> {
    const startedMs = performance.now()
    for (let attempts = 1; ; attempts++) {
      const origin = dashboards[(first + attempts - 1) % dashboards.length] ?? ''
      try {
        const response = await ask(origin, '/bff/triage', body)
        await response.arrayBuffer()
        if (response.ok) {
          const atMs = performance.now()
          writes.push({ writer: first, atMs, tookMs: atMs - startedMs, attempts })
          return
        }
        refuse(String(response.status))
      } catch (error) {
        refuse(error instanceof Error ? error.name : String(error))
      }
      await sleep(4 * WRITE_PAUSE_MS)
    }
  }

  async function writeOn(at: number): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const id = threats[at + dashboards.length * Math.floor(count / NOTES_PER_THREAT)] ?? ''
      if (count % NOTES_PER_THREAT === 0) {
        await write(at, { action: 'star', ids: [id] })
        starred.add(id)
      }
      const idempotencyKey = randomUUID()
      await write(at, { action: 'note', ids: [id], text: idempotencyKey, idempotencyKey })
      notes.set(idempotencyKey, id)
      await sleep(WRITE_PAUSE_MS)
    }
  }

  /** From whichever dashboard is left. */
  async function readHistory(id: string) {
    for (const origin of dashboards) {
      const response = await ask(origin, `/bff/triage/${encodeURIComponent(id)}/history`).catch(() => null)
      if (response?.ok) return triageHistorySchema.parse(await response.json()).events
    }
    throw new Error('No dashboard is left that answers')
  }

  async function readOn(origin: string): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const paths = [
        '/bff/threats',
        '/bff/overview',
        '/bff/actors',
        `/bff/threats?q=ransom%20${count}`,
        '/bff/source',
        '/readyz',
      ]
      const path = paths[count % paths.length] ?? ''
      const startedMs = performance.now()
      const { status, isLabelled } = await readOnce(() => ask(origin, path))
      const atMs = performance.now()
      reads.push({
        origin,
        path: path.split('=', 1)[0] ?? '',
        status,
        atMs,
        tookMs: atMs - startedMs,
        isLabelled,
      })
      await sleep(READ_PAUSE_MS)
    }
  }

  const working = Promise.all(dashboards.flatMap((origin, at) => [writeOn(at), readOn(origin)]))
  return {
    balancer: dashboards.at(-1) ?? '',
    reads,
    writes,
    refusals,
    async stop() {
      stopping.abort()
      await working
      const seen = new Map<string, number>()
      const stars = new Set<string>()
      for (const id of starred) {
        for (const { action, text } of await readHistory(id)) {
          if (action === 'note' && text !== null) seen.set(text, (seen.get(text) ?? 0) + 1)
          if (action === 'star') stars.add(id)
        }
      }
      const countOf = (key: string) => seen.get(key) ?? 0
      const lostNotes = [...notes.keys()].filter((key) => countOf(key) === 0).length
      const lostStars = [...starred].filter((id) => !stars.has(id)).length
      return {
        notes: notes.size,
        stars: starred.size,
        lost: lostNotes + lostStars,
        doubled: [...seen.values()].filter((count) => count > 1).length,
      }
    },
  }
}

async function readOnce(ask: () => Promise<Response>): Promise<{ status: number; isLabelled: boolean }> {
  try {
    const response = await ask()
    const answer = labelSchema.safeParse(
      response.headers.get('content-type') === 'application/json'
        ? await response.json()
        : await response.text(),
    )
    return { status: response.status, isLabelled: answer.success && answer.data.freshness.isStale }
  } catch {
    return { status: 0, isLabelled: false }
  }
}
