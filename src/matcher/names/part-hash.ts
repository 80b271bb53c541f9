const TEXT_MAX_LENGTH = 66
const BASE = 0x01000193
const POWERS = new Int32Array(TEXT_MAX_LENGTH + 1)
POWERS[0] = 1
for (let at = 1; at < POWERS.length; at++) POWERS[at] = Math.imul(POWERS[at - 1] ?? 0, BASE)
/** Hashes of the beginnings of the text that was read last, by their lengths. */
const beginnings = new Int32Array(TEXT_MAX_LENGTH + 1)

/** Reads a text of 66 letters at most, for the hashes of its parts: each is found without making the part. */
export function readForHashes(text: string): void {
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0
    beginnings[at + 1] = hash
  }
}

/** The hash of a part of the text that was read last: 32 bits. Equal parts have equal hashes. */
export function hashOfPart(start: number, size: number): number {
  const hash = ((beginnings[start + size] ?? 0) - Math.imul(beginnings[start] ?? 0, POWERS[size] ?? 0)) | 0
  return mix(hash ^ (hash >>> 15))
}

export function mix(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}

/** The hash of a whole text; none of one that is longer than what is read for hashes. */
export function hashOf(text: string): number | null {
  if (text.length > TEXT_MAX_LENGTH) return null
  readForHashes(text)
  return hashOfPart(0, text.length)
}

const BITS_OF_HASH = 16

/** A set of hashes: of those that are not in it nearly all are known not to be, without a look at a large map. */
export class HashFilter {
  readonly #bits: Uint32Array

  constructor(hashes: Iterable<number>, count: number) {
    this.#bits = new Uint32Array(2 ** Math.ceil(Math.log2((count + 2) * BITS_OF_HASH)) / 32)
    for (const hash of hashes) {
      const place = this.#placeOf(hash)
      this.#bits[place] = (this.#bits[place] ?? 0) | (1 << (hash & 31))
    }
  }

  mayHave(hash: number): boolean {
    return ((this.#bits[this.#placeOf(hash)] ?? 0) & (1 << (hash & 31))) !== 0
  }

  #placeOf(hash: number): number {
    return (hash >>> 5) & (this.#bits.length - 1)
  }
}
