import { composeRooms } from '#bff/compose.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createPublicAddress } from '#bff/http/guards/public-url.ts'
import { LiveHub } from '#bff/http/live/live-hub.ts'
import { liveRoutes } from '#bff/http/live/live-routes.ts'
import { createLog } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { loadStaticFiles } from '#bff/http/static-files.ts'
import { composeApp } from '#bff/serve.ts'
import { type OwnServiceKeys, serviceKeyRoutes } from '#bff/upstream/keys/service-key-routes.ts'
import type { Database } from '#database/database.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'

const neverAsked = () => Promise.reject(new Error('Nobody asks the table of the documents'))
const database: Database = { query: neverAsked, transaction: neverAsked }
const serviceKeys: OwnServiceKeys = { list: neverAsked, create: neverAsked, revoke: neverAsked }

/** The whole route table, with single sign-on and the embedded service's keys, on nothing: none of it is asked. */
export async function composeTable(): Promise<BffRoute[]> {
  const origin = 'http://localhost:4173'
  const secret = 'the-secret-of-the-documents-that-nobody-is-asked-for'
  const log = createLog(() => {})
  const upstream = { url: 'http://127.0.0.1:1', kind: 'embedded' as const }
  const rooms = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream,
    database,
    secret,
    origin,
    log,
  })
  const address = createPublicAddress(origin, { host: '127.0.0.1', port: 4173 })
  const { table } = composeApp({
    answers: new AnswerCache(),
    database,
    address,
    log,
    routes: [
      ...rooms.routes,
      ...serviceKeyRoutes(serviceKeys, database),
      ...liveRoutes(new LiveHub(), async () => ({ last: 0, isAnew: false })),
    ],
    singleSignOn: { issuer: 'https://id.example', clientId: 'lantern', clientSecret: 'secret', secret },
    secret,
    staticFiles: await loadStaticFiles('/nonexistent'),
    isDraining: () => false,
  })
  await rooms.close()
  return table
}
