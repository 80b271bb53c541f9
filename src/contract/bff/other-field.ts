import * as z from 'zod/mini'

/** A field without a member of its own: its path in the record (`meta.tags[0]`), and its value as text. */
export const otherFieldSchema = z.object({ path: z.string(), value: z.string() })
export type OtherField = z.infer<typeof otherFieldSchema>

/** A name, and how often it occurs where that is reported. */
export const countedNameSchema = z.object({ name: z.string(), count: z.nullable(z.int()) })
export type CountedName = z.infer<typeof countedNameSchema>
