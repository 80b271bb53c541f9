/** Creates a generator that gives the same numbers for the same seed everywhere: mulberry32. Not for secrets. */
export function createRandom(seed: number) {
  let state = scramble(seed)

  /** The number is at least 0 and below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    return scramble(state) / 2 ** 32
  }
  /** A whole number, both bounds included. */
  function between(least: number, most: number): number {
    return least + Math.floor(next() * (most - least + 1))
  }
  function pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[between(0, items.length - 1)] ?? items[0]
  }
  /** Favours the first items: the nth is about n times rarer than the first. */
  function pickSkewed<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor((items.length + 1) ** next()) - 1] ?? items[0]
  }
  /** Some items, each once, in their given order. */
  function sample<Item>(items: readonly Item[], count: number): Item[] {
    const chosen: Item[] = []
    for (const [index, item] of items.entries()) {
      if (next() * (items.length - index) < count - chosen.length) chosen.push(item)
    }
    return chosen
  }
  return { next, between, chance: (probability: number) => next() < probability, pick, pickSkewed, sample }
}
export type Random = ReturnType<typeof createRandom>

function scramble(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), number | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
