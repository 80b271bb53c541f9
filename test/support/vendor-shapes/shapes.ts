import type { Random } from '#test/support/random.ts'

export type Members = Record<string, unknown>
export type Counted = { name: string; count: number | null }

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Words as one name, in the styles that an API might have. */
export const styles = {
  snake: (words: string) => words.replaceAll(' ', '_'),
  kebab: (words: string) => words.replaceAll(' ', '-'),
  Pascal: (words: string) => words.split(' ').map(capital).join(''),
  camel: (words: string) => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
} as const

export function styleOf(random: Random): (words: string) => string {
  return random.pick(Object.values(styles))
}

/** A moment and a form of it; `read` is what a reader makes of the form. */
export function shapeTime(random: Random): { value: unknown; read: string } {
  const seconds = 1_700_000_000 + random.below(90_000_000)
  const iso = new Date(seconds * 1000).toISOString()
  const day = iso.slice(0, 10)
  return random.pick([
    { value: iso, read: iso },
    { value: iso.replace('.000Z', '+00:00'), read: iso },
    { value: day, read: `${day}T00:00:00.000Z` },
    { value: seconds, read: iso },
    { value: seconds * 1000, read: iso },
  ])
}

/** The same where only its text shows that it is a time. */
export function shapeTextTime(random: Random): { value: unknown; read: string } {
  const shaped = shapeTime(random)
  return typeof shaped.value === 'string' ? shaped : { value: shaped.read, read: shaped.read }
}

export function shapeNames(random: Random, names: readonly string[]): unknown {
  return random.pick<unknown>([
    names,
    names.map((name) => ({ name })),
    names.map((name, index) => ({ label: name, count: index })),
    Object.fromEntries(names.map((name, index) => [name, index + 1])),
  ])
}

/** Counts by name, as lists or maps. The reader gives no counts where a list has none. */
export function shapeCounted(random: Random, names: readonly string[]): { value: unknown; read: Counted[] } {
  const counted = names.map((name) => ({ name, count: random.below(5_000) }))
  const [nameKey, countKey] = random.pick([
    ['name', 'count'],
    ['actor', 'threats'],
    ['label', 'value'],
    ['who', 'how_often'],
  ] as const)
  return random.pick([
    { value: names, read: names.map((name) => ({ name, count: null })) },
    { value: counted.map(({ name, count }) => ({ [nameKey]: name, [countKey]: count })), read: counted },
    { value: counted.map(({ name, count }) => [name, count]), read: counted },
    { value: Object.fromEntries(counted.map(({ name, count }) => [name, count])), read: counted },
  ])
}

/** The 30 days that end today, as lists, maps or bare numbers. */
export function shapeTrend(
  random: Random,
  nowMs: number,
): { value: unknown; read: { date: string; count: number }[] } {
  const read = Array.from({ length: 30 }, (_, index) => ({
    date: new Date(nowMs - (29 - index) * 86_400_000).toISOString().slice(0, 10),
    count: random.below(400),
  }))
  const [dateKey, countKey] = random.pick([
    ['date', 'count'],
    ['day', 'threats'],
    ['when', 'how_many'],
  ] as const)
  const toDate = random.pick<(date: string) => unknown>([
    (date) => date,
    (date) => `${date}T00:00:00Z`,
    (date) => Date.parse(date) / 1000,
    (date) => Date.parse(date),
  ])
  const value = random.pick<unknown>([
    read.map(({ date, count }) => ({ [dateKey]: toDate(date), [countKey]: count })),
    read.toReversed().map(({ date, count }) => ({ [dateKey]: toDate(date), [countKey]: count })),
    Object.fromEntries(read.map(({ date, count }) => [date, count])),
    read.map(({ count }) => count),
  ])
  return { value, read }
}

/** Moves some members into one object, under a name that means nothing. */
export function nest(random: Random, members: Members, nestable: readonly string[]): Members {
  if (random.chance(0.5)) return members
  const moved = new Set(random.some(nestable))
  const entries = Object.entries(members)
  const group = random.pick(['stats', 'details', 'info', 'intel', 'attributes'])
  return {
    ...Object.fromEntries(entries.filter(([name]) => !moved.has(name))),
    [group]: Object.fromEntries(entries.filter(([name]) => moved.has(name))),
  }
}

/** One object as an answer: bare, or in an envelope. */
export function envelop(random: Random, noun: string, members: Members): unknown {
  return random.pick<unknown>([
    members,
    { data: members },
    { data: members, meta: { cached: true } },
    { [noun]: members },
    { data: { [noun]: members } },
  ])
}
