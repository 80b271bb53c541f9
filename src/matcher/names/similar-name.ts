/** Shorter names differ in a letter by chance. */
export const SIMILAR_MIN_LENGTH = 8
const TWO_EDITS_MIN_LENGTH = 13
const MAX_LENGTH = 64
const DIGITS = /\D/gu

/** How many letters of a name may differ: none in a short one. */
export function editsOf(length: number): 0 | 1 | 2 {
  if (length < SIMILAR_MIN_LENGTH || length > MAX_LENGTH) return 0
  return length < TWO_EDITS_MIN_LENGTH ? 1 : 2
}

/** Parts of a name, one more than may differ: one of them stands unchanged in every similar name. */
export function partKeys(name: string): string[] {
  const count = editsOf(name.length) + 1
  if (count === 1) return []
  return Array.from({ length: count }, (_, part) => {
    const start = Math.floor((name.length * part) / count)
    return partKey(name.length, part, name.slice(start, Math.floor((name.length * (part + 1)) / count)))
  })
}

/** Keys of the parts by which names similar to this one can be found. */
export function* findPartKeys(name: string): Generator<string> {
  for (let length = name.length - 2; length <= name.length + 2; length++) {
    const edits = editsOf(length)
    const difference = name.length - length
    if (edits === 0 || Math.abs(difference) > edits) continue
    for (let part = 0; part <= edits; part++) {
      const start = Math.floor((length * part) / (edits + 1))
      const size = Math.floor((length * (part + 1)) / (edits + 1)) - start
      // The first part has no edit before it, the last one none behind it.
      const from = part === 0 ? 0 : part === edits ? difference : -edits
      const to = part === 0 ? 0 : part === edits ? difference : edits
      for (let shift = from; shift <= to; shift++) {
        if (start + shift >= 0)
          yield partKey(length, part, name.substring(start + shift, start + shift + size))
      }
    }
  }
}

function partKey(length: number, part: number, text: string): string {
  return `${length}.${part}${text}`
}

/** Returns true if two names differ by a letter or two, of any kind but digits. */
export function isSimilar(one: string, other: string): boolean {
  const edits = editsOf(Math.min(one.length, other.length))
  if (edits === 0 || Math.abs(one.length - other.length) > edits) return false
  if (one.replace(DIGITS, '') !== other.replace(DIGITS, '')) return false
  return editDistance(one, other) <= edits
}

/** Letters to insert, delete, replace or swap. Names are of 64 letters at most. */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1)
      next.push(least)
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
