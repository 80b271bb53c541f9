import * as z from 'zod/mini'

/** The levels of the Traffic Light Protocol 2.0 (FIRST), from what anyone may have to what stays with its recipients. */
export const tlpSchema = z.enum(['clear', 'green', 'amber', 'amber+strict', 'red'])
export type Tlp = z.infer<typeof tlpSchema>
