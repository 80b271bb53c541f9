import { networkOf } from '#bff/http/guards/network-of.ts'
import type { Log } from '#bff/http/log.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import type { Problem } from '#contract/bff/problem.ts'
import type { Database } from '#database/database.ts'
import { recordAudit } from './record-audit.ts'

export type RefusalAction = Extract<
  AuditAction,
  'role-refused' | 'origin-refused' | 'sign-in-limited' | 'link-refused'
>
export type Refusal = {
  action: RefusalAction
  /** The account that was refused, where it is known. */
  actor: string | null
  /** The route's method and path template. */
  route: string
  address: string
  requestId: string
}
/** Refusals of one kind and source since the last time they were written. */
type Group = Omit<Refusal, 'address'> & {
  source: string
  routes: ReadonlySet<string>
  count: number
  fromMs: number
  untilMs: number
}

const WRITTEN_EVERY_MS = 60_000
/** Of each kind: what comes from more sources is counted as of others, so that a flood is few lines and little memory. */
const SOURCES_MAX_COUNT = 12
const ROUTES_MAX_COUNT = 5
const OTHERS = 'other addresses'

const LINKS: ReadonlySet<string> = new Set([
  'POST /bff/sign-in/link',
  'POST /bff/sign-in/password-link',
  'GET /bff/feeds/:fileName',
])

/** What a problem says of whoever was answered with it; null where it is no refusal of theirs. */
export function refusalOf({ code }: Pick<Problem, 'code'>, route: string): RefusalAction | null {
  if (code === 'role_not_allowed') return 'role-refused'
  if (code === 'too_many_attempts') return 'sign-in-limited'
  const isOfLink = LINKS.has(route) && (code === 'sign_in_failed' || code === 'not_found')
  return isOfLink ? 'link-refused' : null
}

/**
 * Counts refusals by kind and source, and writes the counts into the audit record each minute and at the end, beside the
 * requests and never within them. A count that cannot be written waits: none is lost while the process lives.
 */
export function createRefusalLog({ database, log }: { database: Database; log: Log }) {
  let groups = new Map<string, Group>()
  let writing: Promise<void> = Promise.resolve()

  function add({ source, actor, ...rest }: Group): void {
    const key = JSON.stringify([rest.action, source, actor])
    const others = JSON.stringify([rest.action, OTHERS, null])
    const known = groups.get(key)
    if (known) groups.set(key, join(known, rest))
    else if (countOf(rest.action) < SOURCES_MAX_COUNT) groups.set(key, { source, actor, ...rest })
    else {
      const before = groups.get(others)
      groups.set(others, before ? join(before, rest) : { source: OTHERS, actor: null, ...rest })
    }
  }

  function countOf(action: RefusalAction): number {
    return [...groups.values()].filter((group) => group.action === action).length
  }

  async function writeAll(): Promise<void> {
    if (groups.size === 0) return
    const written = groups
    groups = new Map()
    try {
      await database.transaction(async (tx) => {
        for (const group of written.values()) await write(tx, group)
      })
    } catch (error) {
      for (const group of written.values()) add(group)
      log.error('refusals-not-recorded', error, { groups: groups.size })
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(writeAll)
    return writing
  }

  return {
    note({ address, ...refusal }: Refusal): void {
      const now = Date.now()
      const routes = new Set([refusal.route])
      add({ ...refusal, source: networkOf(address), routes, count: 1, fromMs: now, untilMs: now })
    },
    flush,
    /** Until what it answers is called, which writes what is left. */
    start(): () => Promise<void> {
      const timer = setInterval(flush, WRITTEN_EVERY_MS).unref()
      return () => {
        clearInterval(timer)
        return flush()
      }
    },
  }
}

function join(group: Group, { routes, count, fromMs, untilMs }: Omit<Group, 'source' | 'actor'>): Group {
  return {
    ...group,
    routes: new Set([...group.routes, ...routes].slice(0, ROUTES_MAX_COUNT)),
    count: group.count + count,
    fromMs: Math.min(group.fromMs, fromMs),
    untilMs: Math.max(group.untilMs, untilMs),
  }
}

function write(tx: Database, { source, routes, count, fromMs, untilMs, ...facts }: Group): Promise<void> {
  return recordAudit(tx, {
    ...facts,
    object: null,
    address: source,
    after: {
      times: count,
      first: new Date(fromMs).toISOString(),
      last: new Date(untilMs).toISOString(),
      ...(routes.size > 1 && { routes: [...routes] }),
    },
  })
}
