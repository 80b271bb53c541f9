import { inspect } from 'node:util'

/** Shorter pieces of a key stand in ordinary text. */
const TELLTALE_LENGTH = 12

/** The vendor's key. Only `authorization` gives it out; printing, joining or serialising it does not. */
export class ApiKey {
  #status: 'unknown' | 'valid' | 'invalid' = 'unknown'
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  /** What answers said of it. */
  get status(): 'unknown' | 'valid' | 'invalid' {
    return this.#status
  }

  approve(): void {
    if (this.#status === 'unknown') this.#status = 'valid'
  }

  /** Final: only another key is asked with again. */
  refuse(): void {
    this.#status = 'invalid'
  }

  get authorization(): string {
    return `Bearer ${this.#token}`
  }

  /** Whether a text gives the key away, whole and as it is or in a common encoding. */
  isIn(text: string): boolean {
    if (this.#token.length < TELLTALE_LENGTH) return false
    const bytes = Buffer.from(this.#token)
    const forms = [
      this.#token,
      encodeURIComponent(this.#token),
      bytes.toString('base64url'),
      bytes.toString('base64'),
      Buffer.from(this.authorization).toString('base64'),
      bytes.toString('hex'),
    ]
    return forms.some((form) => text.includes(form))
  }

  /** Whether a short text gives away even a piece of it. */
  isPartlyIn(text: string): boolean {
    if (this.isIn(text)) return true
    const starts = Math.max(0, this.#token.length - TELLTALE_LENGTH + 1)
    return Array.from({ length: starts }, (_, at) => this.#token.slice(at, at + TELLTALE_LENGTH)).some(
      (piece) => text.includes(piece),
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
