import { readCarriedText } from '#contract/bff/path-segment.ts'
import { threatIdSchema } from '#contract/bff/threat.ts'

/** Matches the address of a threat's page on any host. An id may itself be an address. */
const ADDRESS = /^(?:https?:\/\/[^/?#]+)?\/threats(?:\/([^/?#]*))?(?:[?#].*)?$/i

/** The id in what a user pastes: an id, or the address of a threat's page. Null when there is none. */
export function readPastedId(text: string): string | null {
  const trimmed = text.trim()
  const address = ADDRESS.exec(trimmed)
  return threatIdSchema.safeParse(address ? decode(address[1] ?? '') : trimmed).data ?? null
}

function decode(text: string): string {
  try {
    return readCarriedText(decodeURIComponent(text))
  } catch {
    return text
  }
}
