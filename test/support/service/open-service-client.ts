import { expect } from 'vitest'
import type * as z from 'zod/mini'
import type { EarlierPlanName, V1PlanName } from '#contract/service-key-parts.ts'
import { errorSchema } from '#contract/upstream/error.ts'
import type { Database } from '#database/database.ts'
import { createService } from '#service/app.ts'
import { createKey } from '#service/keys/create-key.ts'

export const NOW = '2026-06-15T12:00:00.000Z'

type Options = {
  v1Plan?: V1PlanName
  earlierPlan?: EarlierPlanName
  secret?: string
  secretBefore?: string
}

/** A service at `NOW`, and a key of its own to call it with: for everything, unless the test names plans. */
export async function openServiceClient(
  database: Database,
  {
    v1Plan = 'defend',
    earlierPlan = 'enterprise',
    secret = 'a secret of the tests',
    secretBefore,
  }: Options = {},
) {
  const app = createService({
    database,
    secret,
    secretBefore,
    publicUrl: 'https://service.example',
    now: () => new Date(NOW),
  })
  const { token } = await createKey(database, { account: 'Team', name: 'Test', v1Plan, earlierPlan })

  async function request(path: string) {
    return app.request(path, { headers: { authorization: `Bearer ${token}` } })
  }
  return {
    app,
    token,
    request,
    /** The answer of a request that succeeds. */
    async get<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema>> {
      const response = await request(path)
      const body: unknown = await response.json()
      expect(body).not.toHaveProperty('error')
      return schema.parse(body)
    },
    /** Status and message of a request that fails. */
    async fail(path: string): Promise<[status: number, message: string]> {
      const response = await request(path)
      return [response.status, errorSchema.parse(await response.json()).error]
    },
  }
}
