import { Hono } from 'hono'
import type { AlertProfile, AlertProfiles } from '#contract/upstream/earlier/alert-profile.ts'
import { createAlertSchema } from '#contract/upstream/earlier/create-alert.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { parseJsonBody } from '#service/request/parse-json-body.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { createAlertProfile, listAlertProfiles } from './alert-queries.ts'

export function alertRoutes({ database, secret }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>()
    .get('/api/alerts', async (c) => {
      refuseParameters(c.req.url)
      const listed = await listAlertProfiles(database, c.get('access').accountId, secret)
      return c.json({ alert_profiles: listed.map(({ profile }) => profile) } satisfies AlertProfiles)
    })
    .post('/api/alerts', async (c) => {
      refuseParameters(c.req.url)
      const alert = await parseJsonBody(c.req, createAlertSchema)
      requireUsableKeywords(alert.keywords)
      await requireCategories(database, c.get('access'), { name: 'categories', categories: alert.categories })

      const profile = await createAlertProfile(database, c.get('access').accountId, alert, secret)
      return c.json(profile satisfies AlertProfile, 201)
    })
}

export function requireUsableKeywords(keywords: readonly string[]): void {
  const unusable = keywords.findIndex((keyword) => parseKeyword(keyword) === null)
  if (unusable === -1) return
  throw new ServiceError(400, `Invalid field "keywords[${unusable}]": must hold a letter or a digit`)
}
