/** pgjdbc prepares a statement from its fifth run on, too (`prepareThreshold`). */
const PREPARED_FROM_RUN = 5
/** A connection keeps each prepared statement until it closes. */
const NAMES_MAX = 250
const COUNTED_MAX = 2_000

/**
 * Names the statements that a process runs often, so that each connection parses them once. Statements that are composed
 * anew each time do not push others out: a name stays.
 */
export function createStatementNames() {
  const names = new Map<string, string>()
  const runs = new Map<string, number>()
  return {
    /** The name under which connections prepare a statement, or undefined if it is to be sent whole. */
    nameOf(text: string): string | undefined {
      const name = names.get(text)
      if (name || names.size === NAMES_MAX) return name
      const count = (runs.get(text) ?? 0) + 1
      if (count < PREPARED_FROM_RUN) {
        if (runs.size === COUNTED_MAX) runs.clear()
        runs.set(text, count)
        return undefined
      }
      runs.delete(text)
      const given = `lantern_${names.size + 1}`
      names.set(text, given)
      return given
    },
  }
}

export type StatementNames = ReturnType<typeof createStatementNames>
