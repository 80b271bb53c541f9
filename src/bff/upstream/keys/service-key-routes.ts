import * as z from 'zod/mini'
import { allowWait, defineChange } from '#bff/accounts/make-change.ts'
import { conflict, notFound } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  type CreatedServiceKey,
  type NewServiceKey,
  newServiceKeySchema,
  type ServiceKey,
  type ServiceKeys,
} from '#contract/bff/service-key.ts'
import { serviceKeyIdSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'

/** The operations on the keys of the embedded service. */
export type OwnServiceKeys = {
  list(): Promise<ServiceKey[]>
  create(key: NewServiceKey): Promise<CreatedServiceKey>
  /** False where there is no such key that still works. */
  revoke(id: string): Promise<boolean>
}

const ID = z.object({ id: serviceKeyIdSchema })

export function serviceKeyRoutes(serviceKeys: OwnServiceKeys, database: Database): BffRoute[] {
  async function requireKey(id: string): Promise<ServiceKey> {
    const key = (await serviceKeys.list()).find((one) => one.id === id)
    if (!key) throw notFound('There is no such key.')
    return key
  }

  return [
    defineRoute('GET /bff/service-keys', {
      access: 'admin',
      answer: async () => ({ json: { keys: await serviceKeys.list() } satisfies ServiceKeys }),
    }),
    defineChange(database, 'POST /bff/service-keys', {
      access: 'admin',
      needsFreshProof: true,
      body: newServiceKeySchema,
      status: 201,
      async change({ body }, tx, record) {
        const { name: objectName, ...after } = body
        await allowWait(tx)
        const created = await serviceKeys.create(body)
        await record({ action: 'service-key-created', object: created.id, objectName, after })
        return created
      },
    }),
    defineChange(database, 'DELETE /bff/service-keys/:id', {
      access: 'admin',
      needsFreshProof: true,
      params: ID,
      async change({ params: { id } }, tx, record) {
        await allowWait(tx)
        const { name: objectName, isOwn } = await requireKey(id)
        if (isOwn) {
          const detail = 'The dashboard itself asks with this key. Use another one for your own programs.'
          throw conflict(detail, 'The key is in use')
        }
        if (!(await serviceKeys.revoke(id))) throw conflict('The key has ended already.')
        await record({ action: 'service-key-revoked', object: id, objectName })
      },
    }),
  ]
}
