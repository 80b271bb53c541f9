import { createHash } from 'node:crypto'
import { inspect } from 'node:util'

/** Shorter pieces of a key stand in ordinary text. */
const PIECE_LENGTH = 12
/** Every piece holds a whole probe at one of its steps: most of a text need not be looked at. */
const PROBE_LENGTH = 6
const PROBE_STEP = PIECE_LENGTH - PROBE_LENGTH + 1

/** The vendor's key. Only `authorization` gives it out; printing, joining or serialising it does not. */
export class ApiKey {
  readonly #token: string
  readonly #pieces: ReadonlySet<string>
  readonly #probes: ReadonlySet<string>

  constructor(token: string) {
    this.#token = token
    const forms = token.length < PIECE_LENGTH ? [] : formsOf(token)
    this.#pieces = new Set(forms.flatMap((form) => piecesOf(form.toLowerCase(), PIECE_LENGTH)))
    this.#probes = new Set([...this.#pieces].flatMap((piece) => piecesOf(piece, PROBE_LENGTH)))
  }

  /** Names the key at one source, where the key itself must not stand. */
  fingerprintAt(origin: string): Buffer {
    return createHash('sha256').update(`${origin}\n${this.#token}`).digest()
  }

  get authorization(): string {
    return `Bearer ${this.#token}`
  }

  /** Returns true if a text contains even a piece of the key: plain, reversed or in a common encoding, in any case. */
  isIn(text: string): boolean {
    const folded = text.toLowerCase()
    for (let at = 0; at < folded.length; at += PROBE_STEP) {
      if (this.#probes.has(folded.slice(at, at + PROBE_LENGTH)) && this.#isAround(folded, at)) return true
    }
    return false
  }

  #isAround(folded: string, at: number): boolean {
    const first = Math.max(0, at - PIECE_LENGTH + PROBE_LENGTH)
    return piecesOf(folded.slice(first, at + PIECE_LENGTH), PIECE_LENGTH).some((piece) =>
      this.#pieces.has(piece),
    )
  }

  toString(): string {
    return '[api key]'
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}

function formsOf(token: string): string[] {
  const bytes = Buffer.from(token)
  // Base64 of the key differs by what stands before it: zero, one or two bytes of a group of three.
  const base64 = [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const start = Math.ceil((before * 8) / 6)
    const end = Math.floor((padded.byteLength * 8) / 6)
    return [padded.toString('base64').slice(start, end), padded.toString('base64url').slice(start, end)]
  })
  return [token, [...token].reverse().join(''), encodeURIComponent(token), bytes.toString('hex'), ...base64]
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))
}
