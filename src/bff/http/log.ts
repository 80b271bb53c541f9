import { describeError } from '#server/describe-error.ts'

export type LogFacts = Readonly<Record<string, string | number | boolean | null | undefined>>

export type Log = {
  info(event: string, facts?: LogFacts): void
  warn(event: string, facts?: LogFacts): void
  /** The error goes in whole: name, message, stack and causes. */
  error(event: string, error: unknown, facts?: LogFacts): void
}

// JSON escapes C0 only; these reach terminals and log viewers too: DEL, C1, line separators, bidi controls.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A kind of trouble writes at most this many lines in a minute; a count of the others follows. */
const REPEATED_MAX_COUNT = 20
const REPEATED_WITHIN_MS = 60_000

/** Writes one JSON object a line, and limits repeated ones. Callers pass no tokens, no keys and no search terms. */
export function createLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  const line = (level: string, event: string, facts: LogFacts = {}) => {
    write(toLogLine({ time: now().toISOString(), level, event, ...facts }))
  }
  const isOneOfFew = createDamping((event, times) => line('warn', 'repeated', { of: event, times }))
  return {
    info: (event, facts) => line('info', event, facts),
    warn: (event, facts) => {
      if (isOneOfFew(event)) line('warn', event, facts)
    },
    error: (event, error, facts) => {
      if (isOneOfFew(event)) line('error', event, { ...facts, error: describeError(error) })
    },
  }
}

function createDamping(tell: (event: string, times: number) => void): (event: string) => boolean {
  const counts = new Map<string, number>()
  const forget = (event: string) => {
    const left = (counts.get(event) ?? 0) - REPEATED_MAX_COUNT
    counts.delete(event)
    if (left > 0) tell(event, left)
  }
  return (event) => {
    const count = (counts.get(event) ?? 0) + 1
    counts.set(event, count)
    if (count === 1) setTimeout(forget, REPEATED_WITHIN_MS, event).unref()
    return count <= REPEATED_MAX_COUNT
  }
}

/** JSON on one line, without what moves a terminal's cursor or turns its text. */
export function toLogLine(facts: object): string {
  return JSON.stringify(facts).replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
