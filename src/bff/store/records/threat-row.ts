import * as z from 'zod/mini'

/** A row of a query whose `threat` is the JSON text of a record. The record is parsed and not checked: pipe the row into a schema. */
export const threatRowSchema = z.pipe(
  z.looseObject({ threat: z.string() }),
  z.transform((row): unknown => ({ ...row, threat: JSON.parse(row.threat) })),
)
