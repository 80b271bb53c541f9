import type { Random } from '#test/support/random.ts'
import { type Members, nest, shapeNames, shapeTextTime, shapeTime, styleOf } from './shapes.ts'

export type ExpectedActor = {
  name: string
  mentions: number | null
  latestObservedAt: string | null
  categories: string[]
  /** Values that no member holds. */
  others: string[]
}

const NAMES = [
  'LockBit',
  '8Base',
  '888',
  'Cl0p',
  'Черный',
  '<img src=x>',
  '__proto__',
  'constructor',
  'Play ',
]
const CATEGORIES = ['Ransomware', 'Data Breach', 'DDoS', 'Other', 'Zugang']

/** An answer with actors of a shape by chance, and what a reader must find in it. */
export function shapeActors(random: Random): { body: unknown; expected: ExpectedActor[] } {
  const shapeOne = random.pick([shapeNamed, shapeUnnamed])
  const shaped = random.some(NAMES).map((name) => shapeOne(random, name))
  const entries = shaped.map(({ entry }) => entry)
  const noun = random.pick(['actors', 'threat_actors', 'threatActors', 'results', 'items', 'whoever'])
  const body = random.pick<unknown>([
    entries,
    { data: entries },
    { data: entries, meta: { total: 900, returned: entries.length, cursor: null } },
    { [noun]: entries, total: 900 },
    { data: { [noun]: entries } },
  ])
  return { body, expected: shaped.map(({ expected }) => expected) }
}

/** With names that say what they mean, something missing here and there, and more than is wanted. */
function shapeNamed(random: Random, name: string): { entry: Members; expected: ExpectedActor } {
  const style = styleOf(random)
  const time = shapeTime(random)
  const mentions = random.below(100_000)
  const categories = random.some(CATEGORIES)
  const parts = {
    [style(random.pick(['mentions', 'mention count', 'total mentions', 'count', 'threat count', 'posts']))]:
      random.pick<unknown>([mentions, String(mentions)]),
    [style(
      random.pick([
        'latest observed at',
        'last seen',
        'last activity',
        'last observed date',
        'latest mention at',
      ]),
    )]: time.value,
    [style(random.pick(['categories', 'threat categories', 'types']))]: shapeNames(random, categories),
  }
  const [mentionsName = '', timeName = '', categoriesName = ''] = Object.keys(parts)
  const extra = {
    [style('first seen')]: '2019-03-04',
    rank: 3,
    [style('is active')]: true,
    origin: 'RU',
    links: ['https://x.example/a'],
  }
  const kept = Object.fromEntries(Object.entries(parts).filter(() => random.chance(0.8)))
  const hasExtra = random.chance(0.7)
  const whole = {
    [style(random.pick(['name', 'actor', 'threat actor', 'actor name', 'group']))]: name,
    ...kept,
    ...(hasExtra && extra),
  }
  return {
    entry: nest(random, whole, Object.keys(parts)),
    expected: {
      name,
      mentions: mentionsName in kept ? mentions : null,
      latestObservedAt: timeName in kept ? time.read : null,
      categories: categoriesName in kept ? categories : [],
      others: hasExtra ? ['2019-03-04', '3', 'true', 'RU', 'https://x.example/a'] : [],
    },
  }
}

/** With names that say nothing: only the shapes of the values identify them. */
function shapeUnnamed(random: Random, name: string): { entry: Members; expected: ExpectedActor } {
  const time = shapeTextTime(random)
  const mentions = random.below(100_000)
  const categories = random.some(CATEGORIES)
  const parts = { f2: mentions, f3: time.value }
  return {
    entry: nest(
      random,
      {
        [/\D/.test(name) ? 'f1' : 'name']: name,
        ...parts,
        category: shapeNames(random, categories),
        f4: false,
      },
      Object.keys(parts),
    ),
    expected: { name, mentions, latestObservedAt: time.read, categories, others: ['false'] },
  }
}
