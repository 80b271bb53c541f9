import { explainError } from './explain-error.ts'

/** Says what was not done, why, and what the user can do. Nothing where no action has failed. */
export function ActionError({ error, not }: { error: Error | null; not: string }) {
  if (!error) return null
  const { message, detail } = explainError(error)
  return (
    <p role="alert" className="text-critical text-xs">
      Not {not}. {message}. {detail}
    </p>
  )
}
