export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>

export type Log = {
  info(event: string, facts?: LogFacts): void
  warn(event: string, facts?: LogFacts): void
  /** The error goes in whole: name, message, stack and causes. */
  error(event: string, error: unknown, facts?: LogFacts): void
}

const CAUSES_MAX_DEPTH = 4
// JSON escapes C0 only; these reach terminals and log viewers too: DEL, C1, line separators, bidi controls.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** One JSON object a line. Callers pass no tokens, no keys and no search terms. */
export function createLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  const line = (level: string, event: string, facts: LogFacts = {}) => {
    write(escapeUnsafe(JSON.stringify({ time: now().toISOString(), level, event, ...facts })))
  }
  return {
    info: (event, facts) => line('info', event, facts),
    warn: (event, facts) => line('warn', event, facts),
    error: (event, error, facts) => line('error', event, { ...facts, error: describeError(error) }),
  }
}

function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? `${error.name}: ${error.message}`
  if (error.cause === undefined || depth >= CAUSES_MAX_DEPTH) return own
  return `${own}\ncaused by ${describeError(error.cause, depth + 1)}`
}

function escapeUnsafe(json: string): string {
  return json.replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
