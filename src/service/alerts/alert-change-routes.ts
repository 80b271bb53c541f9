import { Hono } from 'hono'
import type { AlertProfile, AlertProfileStates } from '#contract/upstream/earlier/alert-profile.ts'
import { changeAlertSchema } from '#contract/upstream/earlier/change-alert.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { requireAccount } from '#service/keys/authenticate.ts'
import { parseJsonBody } from '#service/request/parse-json-body.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { changeAlertProfile, deleteAlertProfile, listAlertProfiles } from './alert-queries.ts'
import { requireUsableKeywords } from './alert-routes.ts'

/** Our own service lets clients change profiles beyond the reference. None of these calls is counted. */
export function alertChangeRoutes(dependencies: ServiceDependencies) {
  const { database, secret } = dependencies
  const mayChange = requireAccount(dependencies)
  return new Hono<ServiceEnvironment>()
    .get('/api/alert-profiles', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const listed = await listAlertProfiles(database, c.get('access').accountId, secret)
      const alert_profiles = listed.map(({ profile, state }) => ({ ...profile, state }))
      return c.json({ alert_profiles } satisfies AlertProfileStates)
    })
    .put('/api/alerts/:id', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const change = await parseJsonBody(c.req, changeAlertSchema)
      if (change.keywords) requireUsableKeywords(change.keywords)
      const { categories } = change
      if (categories) await requireCategories(database, c.get('access'), { name: 'categories', categories })
      const owned = { accountId: c.get('access').accountId, id: c.req.param('id') }
      const changed = await changeAlertProfile(database, owned, change, secret)
      if (!changed) throw noProfile()
      return c.json(changed.profile satisfies AlertProfile)
    })
    .delete('/api/alerts/:id', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const owned = { accountId: c.get('access').accountId, id: c.req.param('id'), secret }
      const deleted = await deleteAlertProfile(database, owned)
      if (!deleted) throw noProfile()
      return c.json({ id: deleted.id })
    })
}

function noProfile(): ServiceError {
  return new ServiceError(404, 'No such alert profile')
}
