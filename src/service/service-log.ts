export type ServiceLog = (event: string, facts: Readonly<Record<string, string | number>>) => void

// JSON leaves these raw; terminals and log viewers act on them: DEL, C1, line separators, bidi controls, zero-width.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Writes one JSON object a line. Callers pass no tokens and no search terms. */
export function createServiceLog(write: (line: string) => void): ServiceLog {
  return (event, facts) => {
    const json = JSON.stringify({ time: new Date().toISOString(), event, ...facts })
    write(json.replace(UNSAFE_CHARACTERS, escapeCharacter))
  }
}

/** Leaves out successful requests, for a service that is part of something else. */
export function onlyFailures(log: ServiceLog): ServiceLog {
  return (event, facts) => {
    if (event !== 'request' || Number(facts.status) >= 500) log(event, facts)
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
