import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { exportLineSchema } from '#contract/bff/threat-export.ts'
import { triageHistorySchema } from '#contract/bff/triage.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import type { Random } from '#test/support/random.ts'
import { ADMIN } from '#test/support/start-lantern.ts'
import { untilFilled } from '../support/until-filled.ts'

/** What is written about. */
export const THREATS = 150
/** Far fewer than an account may have. */
const VIEWS_MAX_COUNT = 40
const ANSWER_TIMEOUT_MS = 30_000

export type Asked = { method?: string; body?: unknown }
export type Ask = (path: string, asked?: Asked) => Promise<Response>
export type ReadBack = { read: number; lost: string[]; doubled: string[] }

/** One write, sent again as it is until it is answered: as the app does, by the key that it was given. */
type Write = {
  kind: 'star' | 'note' | 'view' | 'rename' | 'delete'
  path: string
  asked: Asked
  settle(body: unknown): void
}

const idSchema = z.object({ id: z.string() })

/** Signed in once: whoever had a session before a crash has it after. */
export function createAsk(url: string, cookie: string): Ask {
  return (path, { method, body } = {}) =>
    fetch(new URL(path, url), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-lantern': '1',
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
}

export async function signIn(url: string): Promise<string> {
  const answer = await createAsk(url, '')('/bff/sign-in', { body: ADMIN })
  const cookie = answer.headers.getSetCookie().at(0)?.split(';').at(0)
  if (!answer.ok || !cookie) throw new Error(`A sign-in was answered with ${answer.status}`)
  return cookie
}

/** The newest of them, once all are there. */
export async function listThreats(ask: Ask): Promise<string[]> {
  const source = () => ask('/bff/source')
  await untilFilled(source)
  const answer = await ask('/bff/exports/threats')
  const lines = (await answer.text()).trim().split('\n')
  const found = lines.map((line) => exportLineSchema.parse(JSON.parse(line)))
  return found.flatMap((line) => ('threat' in line ? [line.threat.id] : [])).slice(0, THREATS)
}

/** Writes one after the other, by chance, and knows what has to be there of those that were answered. */
export function createAcknowledgedWrites(random: Random, threats: readonly string[]) {
  /** Of each threat, oldest first, as its history has it. */
  const events = new Map<string, string[]>()
  const views = new Map<string, { id: string; name: string }>()
  const touched = new Set<string>()
  const statuses = new Map<string, number>()
  let pending: Write | null = null
  let made = 0
  let acknowledged = 0

  function chooseWrite(): Write {
    made += 1
    const threat = random.pick(threats)
    if (random.chance(0.4)) return toggleStar(threat)
    if (random.chance(0.6)) return writeNote(threat, `note ${made}`)
    const view = views.size > 0 ? random.pick([...views.values()]) : null
    if (!view || (views.size < VIEWS_MAX_COUNT && random.chance(0.5))) return saveView(`view ${made}`)
    return random.chance(0.5) ? renameView(view, `view ${made}`) : deleteView(view.id)
  }

  function toggleStar(threat: string): Write {
    const last = eventsOf(threat).findLast((event) => !event.startsWith('note '))
    const action = last === 'star' ? 'unstar' : 'star'
    return {
      kind: 'star',
      path: '/bff/triage',
      asked: { body: { action, ids: [threat] } },
      settle: () => void eventsOf(threat).push(action),
    }
  }

  function writeNote(threat: string, text: string): Write {
    return {
      kind: 'note',
      path: '/bff/triage',
      asked: { body: { action: 'note', ids: [threat], text, idempotencyKey: randomUUID() } },
      settle: () => void eventsOf(threat).push(text),
    }
  }

  function saveView(name: string): Write {
    const body = { name, filter: { q: name }, timeZone: 'UTC', isShared: false, idempotencyKey: randomUUID() }
    return {
      kind: 'view',
      path: '/bff/views',
      asked: { body },
      settle(answer) {
        const { id } = idSchema.parse(answer)
        views.set(id, { id, name })
      },
    }
  }

  function renameView({ id }: { id: string }, name: string): Write {
    return {
      kind: 'rename',
      path: `/bff/views/${id}`,
      asked: { method: 'PUT', body: { name } },
      settle: () => void views.set(id, { id, name }),
    }
  }

  function deleteView(id: string): Write {
    return {
      kind: 'delete',
      path: `/bff/views/${id}`,
      asked: { method: 'DELETE' },
      settle: () => void views.delete(id),
    }
  }

  function eventsOf(threat: string): string[] {
    const known = events.get(threat) ?? []
    events.set(threat, known)
    touched.add(threat)
    return known
  }

  /** Whether it was answered. Throws what nobody should be answered. */
  async function writeOne(ask: Ask): Promise<boolean> {
    const isAgain = pending !== null
    const write = pending ?? chooseWrite()
    pending = write
    const answer = await ask(write.path, write.asked)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: error.name === 'TimeoutError' ? 'hung' : '' }))
    const { status, text } = answer
    const said = status === 0 ? text || 'no answer' : String(status)
    statuses.set(said, (statuses.get(said) ?? 0) + 1)
    // What was deleted is not there to be deleted again.
    const isGone = status === 404 && write.kind === 'delete' && isAgain
    if ((status < 200 || status > 299) && !isGone) {
      if (status === 0 || status === 503) return false
      throw new Error(`${write.kind} was answered with ${status}: ${text}`)
    }
    write.settle(text === '' ? null : JSON.parse(text))
    pending = null
    acknowledged += 1
    return true
  }

  /** Compares what was written since the last time, or all of it, with what is there. */
  async function readBack(ask: Ask, what: 'touched' | 'all'): Promise<ReadBack> {
    const compared: ReadBack = { read: 0, lost: [], doubled: [] }
    for (const threat of what === 'all' ? events.keys() : touched) {
      const answer = await readJson(ask, `/bff/triage/${encodeURIComponent(threat)}/history`)
      const found = triageHistorySchema.parse(answer).events.map(({ action, text }) => text ?? action)
      compare(compared, { wanted: eventsOf(threat), found: found.toReversed(), where: threat })
    }
    const { views: found } = viewListSchema.parse(await readJson(ask, '/bff/views'))
    const nameOf = ({ id, name }: { id: string; name: string }) => `${id} ${name}`
    const wanted = [...views.values()].map(nameOf).toSorted()
    compare(compared, { wanted, found: found.map(nameOf).toSorted(), where: 'views' })
    touched.clear()
    return compared
  }

  return {
    writeOne,
    readBack,
    acknowledged: () => acknowledged,
    statuses: () => Object.fromEntries(statuses),
  }
}

type Compared = { wanted: readonly string[]; found: readonly string[]; where: string }

function compare(into: ReadBack, { wanted, found, where }: Compared): void {
  into.read += wanted.length
  const left = [...found]
  for (const one of wanted) {
    const at = left.indexOf(one)
    if (at === -1) into.lost.push(`${where}: ${one}`)
    else left.splice(at, 1)
  }
  into.doubled.push(...left.map((one) => `${where}: ${one}`))
  if (wanted.length === found.length && left.length === 0 && wanted.join() !== found.join())
    into.lost.push(`${where}: its order`)
}

async function readJson(ask: Ask, path: string): Promise<unknown> {
  const response = await ask(path)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}
