import type { Random } from '#test/support/random.ts'

const HOSTILE: readonly unknown[] = [
  null,
  [],
  {},
  [[]],
  [null, [null]],
  { a: { b: { c: [] } } },
  '',
  ' ',
  'NaN',
  '\u0000\ud800\u202e',
  'x'.repeat(5_000),
  '9999-99-99T99:99:99Z',
  -1,
  0.5,
  1e308,
  2 ** 60,
  Number.MAX_SAFE_INTEGER,
  true,
  JSON.parse('{"__proto__": {"count": 1}, "constructor": 2, "toString": [], "name": {"name": {"name": 1}}}'),
]

/** The same with something hostile in the place of some of its values and names. */
export function mutate(random: Random, value: unknown): unknown {
  if (random.chance(0.08)) return random.pick(HOSTILE)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mutate(random, item))
    return random.chance(0.05) ? [...items, ...items] : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
    random.chance(0.05)
      ? random.pick(['__proto__', 'constructor', '', '\ud800', 'data', 'name', 'x'.repeat(999)])
      : name,
    mutate(random, member),
  ])
  return Object.fromEntries(entries)
}
