type Facts = Readonly<Record<string, string | number>>
export type ServiceLog = (event: string, facts: Facts) => void

// JSON leaves these raw; terminals and log viewers act on them: DEL, C1, line separators, bidi controls, zero-width.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Formats one JSON object a line. Callers pass no tokens and no search terms. */
export function toServiceLine(event: string, facts: Facts): string {
  const json = JSON.stringify({ time: new Date().toISOString(), event, ...facts })
  return `${json.replace(UNSAFE_CHARACTERS, escapeCharacter)}\n`
}

/** Returns false for successful requests, which a service that is part of something else does not log. */
export function isFailure(event: string, facts: Facts): boolean {
  return event !== 'request' || Number(facts.status) >= 500
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
