import { readBody, TransportError, type TransportResponse } from './transport.ts'

const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const DEPTH_MAX = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENERS = new Set([0x5b, 0x7b])
const CLOSERS = new Set([0x5d, 0x7d])

/** Captive portals and firewalls send HTML. Vendors give their JSON many content types, or none. */
export function isHtml({ header }: TransportResponse): boolean {
  return HTML_TYPE.test(header('content-type') ?? '')
}

/** The JSON that a body holds, of a sane depth: deeper documents parse, but break what walks them. */
export async function readJsonBody(response: TransportResponse, maxBytes: number): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(response, maxBytes))
  if (isTooDeep(text)) throw new TransportError('unreadable', `nested deeper than ${DEPTH_MAX}`)
  try {
    return JSON.parse(text)
  } catch {
    const isMarkup = text.trimStart().startsWith('<')
    throw new TransportError(isMarkup ? 'web_page' : 'unreadable', 'not JSON')
  }
}

/** Every text of a parsed document, the names of members and the digits of numbers with them. */
export function textsIn(document: unknown): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number') texts.push(String(value))
    else if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value) {
      for (const [name, member] of Object.entries(value)) {
        texts.push(name)
        collect(member)
      }
    }
  }
  collect(document)
  return texts
}

/** Before parsing: a body of brackets alone takes seconds to parse. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (OPENERS.has(code)) {
      depth += 1
      if (depth > DEPTH_MAX) return true
    } else if (CLOSERS.has(code)) depth -= 1
  }
  return false
}
