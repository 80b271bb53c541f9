import * as z from 'zod/mini'

/** Reference section 2.1, worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export const severitySchema = z.enum(SEVERITIES)
export type Severity = z.infer<typeof severitySchema>
