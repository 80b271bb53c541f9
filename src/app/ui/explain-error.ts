import * as z from 'zod/mini'

const explanationSchema = z.object({
  /** Says what went wrong. */
  message: z.string(),
  /** Says what the user can do. */
  detail: z.string(),
  /** True if another try can only fail again. */
  isFinal: z.optional(z.boolean()),
  /** True if no answer came. The first answer to any request ends this error. */
  isAway: z.optional(z.boolean()),
  /** When another try can succeed, ISO 8601. */
  retryAt: z.optional(z.string()),
  /** Id by which an administrator finds the request in the log. */
  requestId: z.optional(z.string()),
})
export type Explanation = z.infer<typeof explanationSchema>

/** Returns an error in words for a person. An unexpected error is reported without its details. */
export function explainError(error: unknown): Explanation {
  const explanation = explanationSchema.safeParse(error)
  if (explanation.success) return explanation.data
  return {
    message: 'This part of the page broke',
    detail: 'Reload the page. If it happens again, tell an admin what you did.',
  }
}
