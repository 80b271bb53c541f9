import fc from 'fast-check'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { DaySpan } from '#matcher/query/query-days.ts'
import type { QueryContext, TeamMarked } from '#matcher/query/query-tests.ts'

export type RandomRecord = Threat & { at: number }

const NOW_MS = Date.UTC(2026, 10, 22, 12)
const DAYS = 6

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        'lock',
        'bit',
        'LOCK',
        'b\u200bit',
        'locker',
        'ácme',
        'Acme',
        '株式',
        '会社',
        'ก\u0e38',
        '3.0',
        'ß',
      ],
      ...['-', '"', 'acme.example', 'mail.acme.example', 'not', 'or', 'high', 'Germany', '***'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
)
const text = fc.array(piece, { maxLength: 5, size: 'max' }).map((pieces) => pieces.join(' '))
const value = fc.oneof(
  fc.constantFrom('LockBit', 'lock bit', 'Löck', '***', '会社', 'DDoS', 'High', 'critical'),
  text,
)
const values = fc.array(value, { maxLength: 2 })
const listSays = fc.record(
  {
    analysis: fc.boolean(),
    evidence: fc.boolean(),
    source: fc.constantFrom('acme.example', 'mail.acme.example', 'lock.onion', null),
  },
  { requiredKeys: [] },
)
const code = fc.constantFrom('DE', 'FR', 'JP', null)

/** Records of some days up to now, some without a date. */
export const randomRecords: fc.Arbitrary<RandomRecord[]> = fc
  .array(
    fc.record({
      day: fc.option(fc.integer({ min: 0, max: DAYS * 4 })),
      title: fc.option(text),
      excerpt: fc.option(text),
      category: fc.option(value),
      severity: fc.option(value),
      actors: values,
      industries: values,
      organizations: fc.array(text, { maxLength: 2 }),
      domains: fc.array(text, { maxLength: 2 }),
      countries: fc.array(fc.record({ code, name: text }), { maxLength: 2 }),
      listSays: fc.option(listSays, { nil: undefined }),
      redacted: fc.subarray(['organizations' as const, 'domains' as const, 'title' as const]),
    }),
    { maxLength: 14, size: 'max' },
  )
  .map((some) =>
    some.map(({ day, ...rest }, number): RandomRecord => {
      const at = NOW_MS - ((day ?? 0) * DAY_MS) / 4
      return {
        ...rest,
        at,
        id: `thr_${String(number).padStart(2, '0')}`,
        set: 'v1',
        publishedAt: day === null ? null : new Date(at).toISOString(),
      }
    }),
  )

const quoted = text.map((words) => `"${words.replaceAll(/["\\]/g, '')}"`)
const word = fc.oneof(
  fc.constantFrom(
    'lock',
    'loc*',
    'bit',
    'acme',
    '会社',
    '株*',
    'a*',
    'lock*',
    '3.0',
    '***',
    'or',
    'AND',
    'not',
  ),
  quoted,
)
const bare = fc.constantFrom(
  'lock',
  'lo*',
  'acme',
  'acme.example',
  'DE',
  'de,FR',
  'ger*',
  '会社',
  'high',
  'ddos',
  '"***"',
)
const field = fc.oneof(
  fc
    .tuple(fc.constantFrom('actor', 'category', 'industry', 'country'), fc.oneof(bare, quoted))
    .map(([name, given]) => `${name}:${given}`),
  fc.tuple(fc.constantFrom('victim', 'domain', 'source'), bare).map(([name, given]) => `${name}:${given}`),
  fc.constantFrom(
    ...[
      'has:analysis',
      'has:evidence',
      'has:note,analysis',
      'has:analysis,evidence',
      'source:acme.example,loc*',
    ],
    ...[
      'severity:>=high',
      'severity:<critical',
      'severity:high,low',
      'is:starred',
      'is:read',
      'is:open',
      'is:overdue',
    ],
    ...['has:note', 'id:thr_01', 'id:thr_0*', 'after:yesterday', 'before:2026-11-20', 'on:3d', 'on:2026-11'],
    ...['after:2026-11-18', 'category:*,x'],
  ),
  fc
    .constantFrom('actor', 'victim', 'country', 'category', 'severity', 'industry', 'domain', 'source')
    .map((name) => `${name}:*`),
)

/** Queries as people write them, with all that the language has. */
export const randomQuery: fc.Arbitrary<string> = fc.letrec<{ query: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: word },
    { weight: 4, arbitrary: field },
    { weight: 2, arbitrary: tie('operand').map((part) => `-${part}`) },
    { weight: 1, arbitrary: tie('operand').map((part) => `NOT ${part}`) },
    { weight: 2, arbitrary: tie('query').map((part) => `(${part})`) },
  ),
  query: fc
    .array(fc.tuple(fc.constantFrom(' ', ' ', ' OR ', ' or ', ' AND '), tie('operand')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map(([joint, operand], at) => (at === 0 ? operand : joint + operand)).join('')),
})).query

/** What random queries mean: days of UTC, a team that has seen some records, one profile. */
export function randomContext(
  records: readonly RandomRecord[],
  momentsOf: QueryContext['momentsOf'],
): QueryContext {
  const marks = new Map(
    records.flatMap(({ id }, at): [string, TeamMarked][] =>
      at % 3 === 0
        ? []
        : [
            [
              id,
              {
                isRead: at % 2 === 0,
                isStarred: at % 5 === 1,
                isClosed: at % 4 === 1,
                isOverdue: at % 3 === 1,
                ownerId: at % 5 === 1 ? 'u-1' : null,
                isOwnerActive: at % 2 === 1,
                ownerText: at % 5 === 1 ? 'Ada Example ada@corp.example' : '',
                hasComment: at % 7 < 2,
              },
            ],
          ],
    ),
  )
  return {
    momentsOf: (days: DaySpan) => momentsOf(days),
    marksOf: (id) => marks.get(id),
  }
}

export const RANDOM_NOW_MS = NOW_MS
