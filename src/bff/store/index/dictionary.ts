const PRIME = 16_777_619
const FIRST_SIZE = 1_024

/**
 * A dictionary encoding: a number stands for each word. A hash table of its own, since words are looked up as parts of
 * long texts: for a `Map`, each of them would have to be made first. The seed keeps texts from choosing their hashes.
 */
export class Dictionary {
  readonly words: string[] = []
  readonly #seed = Math.floor(Math.random() * 2 ** 31)
  /**
   * A hash table with linear probing: a word's number plus one, then its hash; 0 marks a free entry. At most half is in
   * use.
   */
  #table = new Int32Array(2 * FIRST_SIZE)
  /** Caches numbers by the first character of their words. */
  readonly #byFirst = new Map<string, number[]>()
  #sorted = 0

  constructor(first: readonly string[] = []) {
    for (const word of first) this.add(word)
  }

  /** The word's number; undefined where no record has it. */
  get(word: string): number | undefined {
    const found = this.#find(word, { from: 0, to: word.length, hash: this.#hash(word, 0, word.length) })
    return found < 0 ? undefined : found
  }

  /** The numbers of all words that begin with a text. */
  startingWith(text: string): number[] {
    for (; this.#sorted < this.words.length; this.#sorted++) {
      const first = this.words[this.#sorted]?.[0] ?? ''
      const known = this.#byFirst.get(first)
      if (known) known.push(this.#sorted)
      else this.#byFirst.set(first, [this.#sorted])
    }
    const candidates = this.#byFirst.get(text[0] ?? '') ?? []
    return candidates.filter((number) => this.words[number]?.startsWith(text))
  }

  add(word: string): number {
    return this.addPart(word, 0, word.length)
  }

  /** Does the same as `add` for a part of a text. */
  addPart(text: string, from: number, to: number): number {
    const hash = this.#hash(text, from, to)
    const found = this.#find(text, { from, to, hash })
    if (found >= 0) return found
    const number = this.words.length
    if (4 * number >= this.#table.length) this.#grow()
    // A copy: a part of a string keeps the whole of it in memory.
    this.words.push(Buffer.from(text.slice(from, to), 'utf16le').toString('utf16le'))
    this.#insert(number, hash)
    return number
  }

  /** FNV-1a. */
  #hash(text: string, from: number, to: number): number {
    let hash = this.#seed
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
    return hash
  }

  #find(text: string, { from, to, hash }: { from: number; to: number; hash: number }): number {
    const mask = this.#table.length - 1
    for (let at = placeOf(hash) & mask; ; at = (at + 2) & mask) {
      const number = (this.#table[at] ?? 0) - 1
      if (number < 0) return -1
      if (this.#table[at + 1] === hash && isAt(this.words[number] ?? '', text, from, to)) return number
    }
  }

  #insert(number: number, hash: number): void {
    const mask = this.#table.length - 1
    let at = placeOf(hash) & mask
    while (this.#table[at] !== 0) at = (at + 2) & mask
    this.#table[at] = number + 1
    this.#table[at + 1] = hash
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Int32Array(2 * before.length)
    for (let at = 0; at < before.length; at += 2) {
      const number = (before[at] ?? 0) - 1
      if (number >= 0) this.#insert(number, before[at + 1] ?? 0)
    }
  }
}

/** The last character of a word decides on the lowest bits alone. */
function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1
}

function isAt(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  return true
}

/** Memory that is not written yet is not allocated by the system. */
const GROWTH = 3 / 2

/** Lists of numbers, one behind the other. They are only added to: whoever reads earlier ones is not disturbed. */
export class NumberLists {
  /** List n is from `starts[n]` on, before `starts[n + 1]`. */
  starts = new Int32Array(1_024)
  numbers = new Int32Array(1_024)
  /** The number of finished lists. */
  count = 0
  /** The number of all values. */
  length = 0

  push(number: number): void {
    if (this.length === this.numbers.length) this.numbers = grow(this.numbers)
    this.numbers[this.length++] = number
  }

  /** Ends the list that was pushed to. */
  end(): void {
    if (++this.count === this.starts.length) this.starts = grow(this.starts)
    this.starts[this.count] = this.length
  }
}

function grow(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.ceil(numbers.length * GROWTH))
  grown.set(numbers)
  return grown
}
