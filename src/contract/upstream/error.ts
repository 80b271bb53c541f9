import * as z from 'zod/mini'

/** Reference section 7: the body of every failure, of either route set. */
export const errorSchema = z.strictObject({ error: z.string() })

/** v1 adds the seconds to wait to a 429. */
export const rateLimitErrorSchema = z.strictObject({ error: z.string(), retry_after: z.int() })
