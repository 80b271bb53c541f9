import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { composeTable } from '#test/docs/compose-table.ts'

/** A browser writes these, and newer ones add members: what nobody reads of them is left out. */
const WRITTEN_BY_BROWSERS = /\.passkey$/

const defSchema = z.looseObject({ type: z.string(), catchall: z.optional(z.unknown()) })

/** The paths of the objects in a schema that take members which it does not list. */
function findOpenObjects(schema: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (!(schema instanceof z.core.$ZodType) || seen.has(schema)) return []
  if (WRITTEN_BY_BROWSERS.test(path)) return []
  const around = new Set(seen).add(schema)
  const def = defSchema.parse(schema._zod.def)
  const isOpen = def.type === 'object' && !(def.catchall instanceof z.core.$ZodNever)
  const inner = Object.entries(def).flatMap(([name, value]) => {
    if (name === 'shape' && typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, one]) => findOpenObjects(one, `${path}.${key}`, around))
    const parts: unknown[] = Array.isArray(value) ? value : [value]
    return parts.flatMap((one) => findOpenObjects(one, path, around))
  })
  return isOpen ? [path, ...inner] : inner
}

test('no body of a request takes a member that its schema does not list, at any depth', async () => {
  const table = await composeTable()
  const bodies = table.flatMap(({ method, path, body }) =>
    body ? [{ name: `${method} ${path}`, body }] : [],
  )
  expect(bodies.length).toBeGreaterThan(20)
  expect([...new Set(bodies.flatMap(({ name, body }) => findOpenObjects(body, name)))]).toEqual([])
})

test('finds an open object at any depth', () => {
  const open = z.object({ a: z.string() })
  const schema = z.strictObject({
    one: z.optional(z.array(z.union([open, z.string()]))),
    two: z.pipe(z.strictObject({ b: open }), z.transform(String)),
    three: z.record(z.string(), open),
  })
  expect(findOpenObjects(schema, 'x')).toEqual(['x.one', 'x.two.b', 'x.three'])
})
