import type { Database } from '#database/database.ts'

/** The database of a process that is killed before a statement: its transaction is rolled back, and it does nothing more. */
export function killedAt(database: Database, statement: string, onKilled: () => void): Database {
  const killed = new Error('killed')
  let isKilled = false
  const queryUnlessKilled = (db: Database): Database['query'] => {
    return (text, values) => {
      isKilled ||= text.includes(statement)
      return isKilled ? Promise.reject(killed) : db.query(text, values)
    }
  }
  const orNever = <Result>(running: Promise<Result>): Promise<Result> =>
    running.catch((error: unknown) => {
      if (error !== killed) throw error
      onKilled()
      return new Promise<never>(() => {})
    })
  const query = queryUnlessKilled(database)
  return {
    ...database,
    query: (text, values) => orNever(query(text, values)),
    transaction: (run) => orNever(database.transaction((tx) => run({ ...tx, query: queryUnlessKilled(tx) }))),
  }
}
