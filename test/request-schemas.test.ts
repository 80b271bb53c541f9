import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  credentialIdSchema,
  idSchema,
  rowIdSchema,
  serviceKeyIdSchema,
  vendorIdSchema,
} from '#contract/id.ts'
import { daySchema, momentSchema, zonedMomentSchema } from '#contract/moment.ts'
import { queryInstantSchema } from '#contract/upstream/query-schemas.ts'
import { UPSTREAM_ROUTES, type UpstreamRoute } from '#contract/upstream/upstream-routes.ts'
import { composeTable } from './docs/compose-table.ts'
import { type Field, findFields, isIdName } from './support/find-fields.ts'

const IDS = new Set<z.core.$ZodType>([
  idSchema,
  rowIdSchema,
  vendorIdSchema,
  serviceKeyIdSchema,
  credentialIdSchema,
])
const MOMENTS = new Set<z.core.$ZodType>([
  ...[momentSchema, zonedMomentSchema, daySchema],
  ...queryInstantSchema.def.options,
])

/** Ids and moments that a request reads by a schema of its own. */
function findStrays(fields: readonly Field[]): string[] {
  return fields.flatMap(({ name, schema }) => {
    const format = formatOf(schema)
    const isMoment = format === 'datetime' || format === 'date' || format === 'time'
    if (isMoment && !MOMENTS.has(schema)) return [`${name} is a moment`]
    return (isIdName(name) || format === 'uuid' || format === 'guid') && !IDS.has(schema)
      ? [`${name} is an id`]
      : []
  })
}

function formatOf(schema: z.core.$ZodType): unknown {
  return schema instanceof z.core.$ZodStringFormat ? schema._zod.def.format : undefined
}

test('each id and moment of a request is read by a shared schema of the contract', async () => {
  const routes = [...(await composeTable()), ...Object.values<UpstreamRoute>(UPSTREAM_ROUTES)]
  const strays = routes.flatMap((route) => {
    const schemas = ['params' in route ? route.params : undefined, route.query, route.body]
    const fields = schemas.flatMap((schema) => (schema ? findFields(schema) : []))
    return findStrays(fields).map((stray) => `${route.method} ${route.path}: ${stray}`)
  })
  expect(strays).toEqual([])
})

test('finds an id and a moment that have a schema of their own', () => {
  const own = z.object({ viewId: z.string(), at: z.optional(z.iso.datetime()), days: z.array(z.iso.date()) })
  expect(findStrays(findFields(own))).toEqual(['viewId is an id', 'at is a moment', 'days is a moment'])
  expect(findStrays(findFields(z.object({ viewId: idSchema, upTo: z.nullable(momentSchema) })))).toEqual([])
})

test('no shared schema of moments takes a year that no database holds', () => {
  for (const year of ['0000', '0001', '9999']) {
    expect(momentSchema.safeParse(`${year}-01-01T00:00:00Z`).success).toBe(false)
    expect(zonedMomentSchema.safeParse(`${year}-01-01T00:00:00+01:00`).success).toBe(false)
    expect(daySchema.safeParse(`${year}-01-01`).success).toBe(false)
  }
  expect(momentSchema.safeParse('2026-01-31T09:30:00.123456Z').success).toBe(true)
})
