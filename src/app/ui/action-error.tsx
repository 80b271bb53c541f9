import * as z from 'zod/mini'

type ActionErrorProps = {
  error: Error | null
  /** Past participle of the action: `saved`. Left out where the message says it. */
  not?: string
  className?: string
}

/** Says what was not done, why, and what the user can do. Nothing where no action has failed. */
export function ActionError({ error, not, className = '' }: ActionErrorProps) {
  if (!error) return null
  const { message, detail } = explainError(error)
  return (
    <p role="alert" className={`text-critical text-xs ${className}`}>
      {not && `Not ${not}. `}
      {message}. {detail}
    </p>
  )
}

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
