import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { findConnectionFault } from '#bff/http/guards/connection-guard.ts'
import { readVisitorAddress } from '#bff/http/guards/visitor-address.ts'
import type { createBff } from './app.ts'
import { type ProblemError, problemResponse } from './problem-error.ts'
import type { createServeCached } from './serve-cached.ts'

const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // How often the two above are looked at.
  connectionsCheckingInterval: 1_000,
  // Longer than balancers commonly keep an idle connection, so that they close it first.
  keepAliveTimeout: 65_000,
  // A GET has no body to read: its stream begins ended, which made the cached feed up to 1.6 times as fast.
  optimizeEmptyRequests: true,
  // Refused by us instead, but for health checks.
  requireHostHeader: false,
}
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50
const HEALTH_PATHS = new Set(['/healthz', '/readyz'])

export type BffServerDependencies = {
  app: ReturnType<typeof createBff>
  serveCached: ReturnType<typeof createServeCached>
  /** Host headers that mean this server. */
  hosts: ReadonlySet<string>
  /** Whose X-Forwarded-For is believed. */
  trustedProxies: BlockList
  commonHeaders: Readonly<Record<string, string>>
}

/** What must be refused before anything of a request is believed, then the cached answers, then the app. */
export function createBffServer(deps: BffServerDependencies): Server {
  const { app, serveCached, hosts, trustedProxies, commonHeaders } = deps
  const serveApp = getRequestListener(
    (request, { incoming }) =>
      app.fetch(request, { peerAddress: readVisitorAddress(incoming, trustedProxies) }),
    { overrideGlobalObjects: false },
  )
  const [ownHost] = hosts
  return createServer(LIMITS, (request, response) => {
    // Load balancers check health by any host name, or by none; the answer is the same for all.
    const isHealth = HEALTH_PATHS.has(request.url ?? '')
    if (isHealth) request.headers.host = ownHost
    const fault = findConnectionFault(request, isHealth ? null : hosts)
    if (fault) void refuse(response, fault, commonHeaders)
    else if (!serveCached(request, response)) void serveApp(request, response)
  })
}

/** Takes no new connection, and gives the requests under way four seconds. */
export async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const closeAll = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}

async function refuse(
  response: ServerResponse,
  fault: ProblemError,
  commonHeaders: Readonly<Record<string, string>>,
): Promise<void> {
  const problem = problemResponse(fault, randomUUID())
  response.writeHead(problem.status, { ...commonHeaders, ...Object.fromEntries(problem.headers) })
  response.end(await problem.text())
}
