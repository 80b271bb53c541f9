import { threatIdSchema } from '#contract/bff/threat.ts'

const IN_ADDRESS = /\/threats\/([^/?#]+)/

/** The id in what a reader pastes: an id, or the address of a threat's page. Null when there is none. */
export function readThreatId(text: string): string | null {
  const [, inAddress] = IN_ADDRESS.exec(text) ?? []
  return threatIdSchema.safeParse(inAddress === undefined ? text.trim() : decode(inAddress)).data ?? null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
