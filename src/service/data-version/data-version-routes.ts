import { Hono } from 'hono'
import type { DataVersion } from '#contract/upstream/data-version.ts'
import { requireKey } from '#service/keys/authenticate.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { readHeldData } from './data-version-queries.ts'

/** Stands before what counts requests: a client that looks often is one that reads seldom. */
export function dataVersionRoutes(dependencies: ServiceDependencies) {
  return new Hono<ServiceEnvironment>().get('/api/data-version', requireKey(dependencies), async (c) => {
    refuseParameters(c.req.url)
    const { version } = c.get('heldData') ?? (await readHeldData(dependencies.database))
    return c.json(version satisfies DataVersion)
  })
}
