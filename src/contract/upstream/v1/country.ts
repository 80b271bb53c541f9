import * as z from 'zod/mini'

const countedNamesSchema = z.array(z.strictObject({ name: z.string(), count: z.int() }))

/** Field names are ours: the reference only says what the statistics carry. */
export const v1CountrySchema = z.strictObject({
  country: z.string(),
  country_code: z.string(),
  threats: z.int(),
  actors: z.int(),
  victims: z.int(),
  top_actors: countedNamesSchema,
  top_industries: countedNamesSchema,
  /** The last 30 UTC days, today included, oldest first; a day without threats is 0. */
  trend: z.array(z.strictObject({ date: z.iso.date(), threats: z.int() })),
  summary: z.nullable(z.string()),
})

/** Answer of `GET /api/v1/countries/{code-or-name}`. */
export const v1CountryAnswerSchema = z.strictObject({ data: v1CountrySchema })
export type V1CountryAnswer = z.infer<typeof v1CountryAnswerSchema>
