/** Positions by key. A key with one position costs no list. */
export type Postings<Key = string> = Map<Key, number | number[]>

export function addPosting<Key>(postings: Postings<Key>, key: Key, position: number): void {
  const held = postings.get(key)
  if (held === undefined) postings.set(key, position)
  else if (typeof held !== 'number') {
    // Entries are added one after the other.
    if (held.at(-1) !== position) held.push(position)
  } else if (held !== position) postings.set(key, [held, position])
}

const NONE: readonly number[] = []

export function findPostings<Key>(postings: Postings<Key>, key: Key): readonly number[] {
  const held = postings.get(key)
  if (held === undefined) return NONE
  return typeof held === 'number' ? [held] : held
}
