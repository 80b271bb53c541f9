import { hashOfPart, mix, readForHashes } from './part-hash.ts'

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

/**
 * Keys of the parts of a name, one more than may differ: one of them stands unchanged in every similar name. Parts are
 * compared as hashes: another part of the same hash costs a comparison.
 */
export function partKeys(name: string): number[] {
  const count = editsOf(name.length) + 1
  if (count === 1) return []
  readForHashes(name)
  return Array.from({ length: count }, (_, part) => {
    const start = Math.floor((name.length * part) / count)
    return partKey(name.length, part, start, Math.floor((name.length * (part + 1)) / count) - start)
  })
}

/** Keys of the parts by which names similar to this one can be found. */
export function findPartKeys(name: string): number[] {
  const keys: number[] = []
  if (name.length > MAX_LENGTH + 2) return keys
  readForHashes(name)
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
        const at = start + shift
        if (at >= 0 && at + size <= name.length) keys.push(partKey(length, part, at, size))
      }
    }
  }
  return keys
}

function partKey(length: number, part: number, start: number, size: number): number {
  return mix(hashOfPart(start, size) + Math.imul(length * 4 + part, 0x85ebca6b))
}

/** Returns true if two names differ by a letter or two, of any kind but digits. */
export function isSimilar(one: string, other: string): boolean {
  const edits = editsOf(Math.min(one.length, other.length))
  if (edits === 0 || Math.abs(one.length - other.length) > edits) return false
  return isWithin(one, other, edits) && one.replace(DIGITS, '') === other.replace(DIGITS, '')
}

/** Rows of the table of distances, used again and again: most calls end in the first ones. */
const ROWS = {
  first: new Uint8Array(MAX_LENGTH + 3),
  second: new Uint8Array(MAX_LENGTH + 3),
  third: new Uint8Array(MAX_LENGTH + 3),
}

/** Returns true if so many letters at most have to be inserted, deleted, replaced or swapped. */
function isWithin(one: string, other: string, edits: number): boolean {
  let start = 0
  while (start < one.length && one.charCodeAt(start) === other.charCodeAt(start)) start++
  let end = one.length
  let otherEnd = other.length
  while (end > start && otherEnd > start && one.charCodeAt(end - 1) === other.charCodeAt(otherEnd - 1)) {
    end--
    otherEnd--
  }
  let [before, last, next] = [ROWS.first, ROWS.second, ROWS.third]
  const columns = otherEnd - start
  for (let column = 0; column <= columns; column++) last[column] = column
  let leastBefore = 0
  for (let row = 1; row <= end - start; row++) {
    next.fill(edits + 1, 0, columns + 1)
    next[0] = row
    let least = row
    const letter = one.charCodeAt(start + row - 1)
    // Elsewhere more letters than that would have to be inserted or deleted.
    for (let column = Math.max(1, row - edits); column <= Math.min(columns, row + edits); column++) {
      const otherLetter = other.charCodeAt(start + column - 1)
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (letter === otherLetter ? 0 : 1),
      )
      const isSwapped =
        row > 1 &&
        column > 1 &&
        letter === other.charCodeAt(start + column - 2) &&
        otherLetter === one.charCodeAt(start + row - 2)
      if (isSwapped) distance = Math.min(distance, (before[column - 2] ?? 0) + 1)
      next[column] = distance
      least = Math.min(least, distance)
    }
    // A swap goes back a row more, and costs one.
    if (least > edits && leastBefore >= edits) return false
    leastBefore = least
    const free = before
    before = last
    last = next
    next = free
  }
  return (last[columns] ?? 0) <= edits
}
