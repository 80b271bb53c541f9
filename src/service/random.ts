export type Random = {
  /** The number is at least 0 and below 1. */
  next(): number
  /** A whole number, both bounds included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Favours the first items: the nth is about n times rarer than the first. */
  pickSkewed<Item>(items: readonly [Item, ...Item[]]): Item
  /** Some items, each once, in their given order. */
  sample<Item>(items: readonly Item[], count: number): Item[]
}

/** Creates a generator that gives the same numbers for the same seed everywhere: mulberry32. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = scramble(seed)

  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    return scramble(state) / 2 ** 32
  }
  function between(least: number, most: number) {
    return least + Math.floor(next() * (most - least + 1))
  }
  function pick<Item>(items: readonly [Item, ...Item[]]) {
    return items[between(0, items.length - 1)] ?? items[0]
  }
  function pickSkewed<Item>(items: readonly [Item, ...Item[]]) {
    return items[Math.floor((items.length + 1) ** next()) - 1] ?? items[0]
  }
  function sample<Item>(items: readonly Item[], count: number) {
    const chosen: Item[] = []
    for (const [index, item] of items.entries()) {
      if (next() * (items.length - index) < count - chosen.length) chosen.push(item)
    }
    return chosen
  }
  return { next, between, chance: (probability) => next() < probability, pick, pickSkewed, sample }
}

function scramble(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), number | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
