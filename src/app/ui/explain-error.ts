import * as z from 'zod/mini'

const explanationSchema = z.object({
  /** What went wrong. */
  message: z.string(),
  /** What the reader can do. */
  detail: z.string(),
  /** Whether the same try can only fail again. */
  isFinal: z.optional(z.boolean()),
  /** Whether no answer came at all, so that the first answer to anything ends it. */
  isAway: z.optional(z.boolean()),
  /** When another try can succeed, ISO 8601. */
  retryAt: z.optional(z.string()),
  /** What an administrator finds it by. */
  requestId: z.optional(z.string()),
})
export type Explanation = z.infer<typeof explanationSchema>

/** What an error can say to a person. One that was not made for people says only that it happened. */
export function explainError(error: unknown): Explanation {
  const explanation = explanationSchema.safeParse(error)
  if (explanation.success) return explanation.data
  return {
    message: 'This part of the page broke',
    detail: 'Reload the page. If it happens again, tell an administrator what you did.',
  }
}
