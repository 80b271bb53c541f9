import fc from 'fast-check'
import * as z from 'zod/mini'

/** Texts that broke something once, or are known to break parsers and databases. */
const ODD_TEXTS = [
  '',
  '.',
  '..',
  '../../alerts',
  '%00',
  '%zz',
  'nul\0byte',
  'half\ud800',
  'a\r\nset-cookie: b=c',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00.000000Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-02-30',
  '1e309',
  '-1',
  '9'.repeat(30),
  '999999999999999999',
  '__proto__',
  'x'.repeat(600),
] as const
const ODD_VALUES = [null, -1, 0.5, 2 ** 31, 2 ** 53, 1e308, [], {}, true, [null], { a: 1 }] as const

export const oddTexts = fc.constantFrom(...ODD_TEXTS)
const uuid = fc.uuid({ version: 4 })
const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(...ODD_TEXTS.filter((text) => /^\d{4}-/.test(text))),
)

/** Cursors are text to a schema and JSON to whoever reads them: some of ours, with odd places. */
const place = fc.record({
  cursor: fc.option(fc.tuple(fc.oneof(moment, fc.constant('0000-01-01T00:00:00.000000Z')), uuid).map(encode)),
  last: fc.option(fc.record({ id: fc.oneof(uuid, oddTexts), createdAt: moment })),
  isOver: fc.boolean(),
})
const cursor = fc.oneof(
  oddTexts,
  fc.tuple(fc.oneof(moment, fc.constant('0000-01-01T00:00:00.000000Z')), uuid).map(encode),
  fc.record({ dashboard: place, service: place }).map(encode),
  fc.stringMatching(/^\d{1,18}$/),
)

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Values of the manner that a schema wants, most of them valid, and odd ones in their places. */
export function valuesOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return makeValue(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')
}

function makeValue(schema: unknown, name: string): fc.Arbitrary<unknown> {
  if (!isRecord(schema)) return oddTexts
  const valid = makeValid(schema, name)
  const odd = fc.oneof(oddTexts, fc.constantFrom<unknown>(...ODD_VALUES))
  // One odd value refuses the whole request: with more of them, hardly any would reach a handler.
  const weight = schema.type === 'object' || schema.anyOf || schema.oneOf ? 40 : 15
  return fc.oneof({ arbitrary: valid, weight }, { arbitrary: odd, weight: 1 })
}

function makeValid(schema: Readonly<Record<string, unknown>>, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum)
  const choices = [schema.anyOf, schema.oneOf].flatMap((some) => (Array.isArray(some) ? some : []))
  if (choices.length > 0) return fc.oneof(...choices.map((one) => makeValue(one, name)))
  if (Array.isArray(schema.allOf)) return makeValue(schema.allOf[0], name)
  switch (schema.type) {
    case 'object':
      return makeObject(schema)
    case 'array':
      return fc.array(makeValue(schema.items, name), { maxLength: 3 })
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 50, 2 ** 31, 2 ** 53))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return makeText(schema, name)
  }
}

function makeObject({ properties, required }: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const members = isRecord(properties) ? Object.entries(properties) : []
  return fc.record(Object.fromEntries(members.map(([name, part]) => [name, makeValue(part, name)])), {
    requiredKeys: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  })
}

function makeText(
  { format, pattern }: Readonly<Record<string, unknown>>,
  name: string,
): fc.Arbitrary<string> {
  if (name === 'cursor') return cursor
  if (name === 'timeZone') return fc.constantFrom('UTC', 'Asia/Tokyo')
  if (format === 'uuid') return uuid
  if (format === 'date-time') return moment
  if (format === 'date') return moment.map((text) => text.slice(0, 10))
  if (format === 'email') return fc.constantFrom('a@example.com', 'b@vendor.test')
  if (typeof pattern === 'string' && !/\(\?|\\p/i.test(pattern)) return fc.stringMatching(new RegExp(pattern))
  return fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), oddTexts, moment, uuid)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
