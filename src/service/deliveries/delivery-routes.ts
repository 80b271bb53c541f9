import { Hono } from 'hono'
import type { DeliveryDetail, DeliveryList } from '#contract/delivery.ts'
import { deliveryStateSchema } from '#contract/delivery.ts'
import { idSchema } from '#contract/id.ts'
import { deliveriesQuerySchema, resendSchema } from '#contract/upstream/earlier/alert-delivery.ts'
import type { Database } from '#database/database.ts'
import {
  countDeliveries,
  listDeliveries,
  listToldThreats,
  readDelivery,
  sendAgain,
} from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { requireAccount } from '#service/keys/authenticate.ts'
import { parseJsonBody } from '#service/request/parse-json-body.ts'
import { parseQuery, refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'

/** The ledger of an account. It stands before what counts requests: who watches it reads no records. */
export function deliveryRoutes(dependencies: ServiceDependencies) {
  const { database } = dependencies
  return new Hono<ServiceEnvironment>()
    .use('/api/alert-deliveries', requireAccount(dependencies))
    .use('/api/alert-deliveries/*', requireAccount(dependencies))
    .get('/api/alert-deliveries', async (c) => {
      const { state, channel, profile, threat, cursor, limit } = parseQuery(c.req.url, deliveriesQuerySchema)
      const { accountId: account } = c.get('access')
      const { items, nextCursor } = await listDeliveries(database, {
        account,
        states: state?.split(',').map((name) => deliveryStateSchema.parse(name)),
        channel,
        cause: profile === undefined ? undefined : { kind: 'profile', id: profile },
        threatId: threat,
        cursor,
        limit,
      })
      const counts = await countDeliveries(database, { account })
      return c.json({ deliveries: items, nextCursor, counts } satisfies DeliveryList)
    })
    .get('/api/alert-deliveries/:id', async (c) => {
      refuseParameters(c.req.url)
      const wanted = { id: c.req.param('id'), account: c.get('access').accountId }
      return c.json((await requireDelivery(database, wanted)) satisfies DeliveryDetail)
    })
    .post('/api/alert-deliveries/:id/resend', async (c) => {
      refuseParameters(c.req.url)
      await parseJsonBody(c.req, resendSchema)
      const wanted = { id: c.req.param('id'), account: c.get('access').accountId }
      await requireDelivery(database, wanted)
      const isSentAgain = await database.transaction((tx) => sendAgain(tx, wanted.id, readDatabaseTime))
      if (!isSentAgain) throw new ServiceError(409, 'This message is under way, or was sent')
      return c.json((await requireDelivery(database, wanted)) satisfies DeliveryDetail)
    })
}

async function requireDelivery(
  db: Database,
  { id, account }: { id: string; account: string },
): Promise<DeliveryDetail> {
  const delivery = idSchema.safeParse(id).success ? await readDelivery(db, id, { account }) : null
  if (!delivery) throw new ServiceError(404, 'No such message')
  const threatIds = (await listToldThreats(db, id)).map((threat) => threat.id)
  return { ...delivery, threatIds }
}
