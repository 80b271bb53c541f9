/** What a query module may use of PostgreSQL. The same inside and outside a transaction. */
export type Database = {
  /** One statement; values are parameters. Rows are unknown until a schema parses them. */
  query(text: string, values?: readonly unknown[]): Promise<QueryAnswer>
  /** Runs fn in one transaction; retries serialization failures and deadlocks up to 3 times. Inside a transaction it joins that one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>
}

export type QueryAnswer = { rows: unknown[]; rowCount: number }
