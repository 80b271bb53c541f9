import type { ApiKey } from './api-key.ts'
import { parseShallowJson } from './json-text.ts'
import { readBody, type TransportResponse } from './transport.ts'

const BODY_MAX_BYTES = 64 * 1024
const WORDS_MAX_LENGTH = 300
// Control, bidi and invisible characters: these words stand in sentences of ours.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

export type RefusalBody = {
  /** Whether it is what the vendor says: not a page of something in between, as a firewall's. */
  isVendors: boolean
  words: string | null
  retryAfter: unknown
}

/** What the body of a failure says, as far as it can be read. Words that hold a piece of the key are dropped. */
export async function readRefusalBody(response: TransportResponse, key: ApiKey): Promise<RefusalBody> {
  const body = await readBody(response, BODY_MAX_BYTES)
    .then((bytes) => parseShallowJson(new TextDecoder().decode(bytes)))
    .catch(() => null)
  const fields = new Map<string, unknown>(typeof body === 'object' && body ? Object.entries(body) : [])
  const said = [fields.get('error'), fields.get('message')].find((text) => typeof text === 'string')
  const words = cleanWords(said ?? '')
  return {
    isVendors: said !== undefined,
    words: words === '' || key.isIn(words) ? null : words,
    retryAfter: fields.get('retry_after') ?? fields.get('retryAfter'),
  }
}

function cleanWords(text: string): string {
  return text.toWellFormed().replace(UNSAFE, ' ').trim().slice(0, WORDS_MAX_LENGTH).toWellFormed()
}
