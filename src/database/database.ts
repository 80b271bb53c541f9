/** Query modules use this part of PostgreSQL, inside and outside a transaction. */
export type Database = {
  /** Runs one statement; values are parameters. Rows are unknown until a schema parses them. */
  query(text: string, values?: readonly unknown[]): Promise<QueryAnswer>
  /** Runs fn in one transaction; retries serialization failures and deadlocks up to 3 times. Inside a transaction it joins that one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>
  /** Reports a committed change to another system. */
  reportCommitted?: ((done: Done) => void) | undefined
}

/** The change, for other systems. */
export type Done = Readonly<Record<string, unknown>>

export type QueryAnswer = { rows: unknown[]; rowCount: number }
