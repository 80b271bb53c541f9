import { explainError } from './explain-error.ts'

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
