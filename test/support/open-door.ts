import { createAccountLimits } from '#bff/http/account-limits.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createBff } from '#bff/http/app.ts'
import { createCspReportLog } from '#bff/http/guards/csp-report.ts'
import { createLog } from '#bff/http/log.ts'
import type { BffRoute, ReaderSession } from '#bff/http/route.ts'
import type { Role } from '#contract/bff/session.ts'
import type { TestRequest } from './ask-bff.ts'

export type DoorOptions = { routes?: readonly BffRoute[]; role?: Role; isHttps?: boolean }

const TOKEN = 'the-token'
const cookie = `lantern_sid=${TOKEN}`

/** The BFF's front door alone: whoever brings the cookie has a session, and there is no database behind it. */
export function openDoor({ routes = [], role = 'admin', isHttps = false }: DoorOptions = {}) {
  let elapsedMs = 0
  const logged: string[] = []
  /** What sessions were asked, in order. */
  const lookedUp: string[] = []
  /** Who has a session, in memory and in the database. */
  const known: Record<'find' | 'findNow', ReaderSession | null> = {
    find: sessionOf(role),
    findNow: sessionOf(role),
  }
  const lookUp = (name: 'find' | 'findNow') => async (token: string, request: { isBackground: boolean }) => {
    lookedUp.push(request.isBackground ? `${name} in the background` : name)
    return token === TOKEN ? known[name] : null
  }
  const clock = () => elapsedMs
  const log = createLog((line) => logged.push(line))
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  const answers = new AnswerCache(clock)
  const app = createBff({
    database: { query: away, transaction: away },
    routes,
    origins: new Set(['http://localhost:4173']),
    staticFiles: { firstFiles: { ofAll: [], routes: [] }, find: () => null, findPage: () => null },
    isDraining: () => false,
    onRefused() {},
    limits: createAccountLimits(clock),
    logCspReport: createCspReportLog(log, clock),
    log,
    sessions: { peek: () => undefined, find: lookUp('find'), findNow: lookUp('findNow') },
    sessionCookie: 'lantern_sid',
    answers,
    isHttps,
  })

  async function ask(path: string, { method, body, headers, peerAddress }: TestRequest = {}) {
    const init = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-lantern': '1',
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    return app.request(path, init, { peerAddress })
  }

  return {
    app,
    ask,
    cookie,
    answers,
    logged,
    lookedUp,
    known,
    wait(ms: number) {
      elapsedMs += ms
    },
  }
}

export function sessionOf(role: Role): ReaderSession {
  const user = { id: 'u-1', email: 'ada@example.com', name: 'ada', role }
  return { id: 's-1', user, expiresAt: '2026-03-11T00:00:00.000Z', hasFreshProof: true, mustEnrol: false }
}
