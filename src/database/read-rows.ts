import type { Database } from './database.ts'

/** Such as a zod schema of one row. */
type RowSchema<Row> = { parse(row: unknown): Row }

/** Parses rows of one column, and returns its values: `readRows(db, onlyColumn(z.string()))`. */
export function onlyColumn<Value>(schema: RowSchema<Value>): RowSchema<Value> {
  return {
    parse(row) {
      const [value, ...others] = Object.values(row ?? {})
      if (others.length > 0) throw new Error('The statement returned more than one column')
      return schema.parse(value)
    },
  }
}

/** Runs the statement that follows as a template. Only constants may be spliced into it: values are `$1`, `$2`… */
type Read<Result> = (
  statement: TemplateStringsArray,
  ...constants: readonly (string | number)[]
) => Promise<Result>

function textOf(statement: TemplateStringsArray, constants: readonly (string | number)[]): string {
  return String.raw({ raw: statement }, ...constants).trim()
}

/** Reads rows, each parsed by the schema: `readRows(db, viewSchema, [id])` followed by the statement. */
export function readRows<Row>(
  db: Database,
  schema: RowSchema<Row>,
  values?: readonly unknown[],
): Read<Row[]> {
  return async (statement, ...constants) => {
    const { rows } = await db.query(textOf(statement, constants), values)
    return rows.map((row) => schema.parse(row))
  }
}

/** Reads the first row; null if there is none. */
export function findRow<Row>(
  db: Database,
  schema: RowSchema<Row>,
  values?: readonly unknown[],
): Read<Row | null> {
  return async (...statement) => (await readRows(db, schema, values)(...statement))[0] ?? null
}

/** Reads the first row of a statement that always returns one. */
export function readRow<Row>(db: Database, schema: RowSchema<Row>, values?: readonly unknown[]): Read<Row> {
  return async (...statement) => {
    const [row] = await readRows(db, schema, values)(...statement)
    if (row === undefined) throw new Error('The statement returned no row')
    return row
  }
}

/** Runs a statement without reading rows, and returns how many it found or changed: `execute(db, [id])` and the statement. */
export function execute(db: Database, values?: readonly unknown[]): Read<number> {
  return async (statement, ...constants) => {
    const { rowCount } = await db.query(textOf(statement, constants), values)
    return rowCount
  }
}

/** Runs a statement, and returns true if it has found or changed a row. */
export function affectsRows(db: Database, values?: readonly unknown[]): Read<boolean> {
  return async (...statement) => (await execute(db, values)(...statement)) > 0
}
