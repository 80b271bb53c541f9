import type { UseQueryResult } from '@tanstack/react-query'
import { explainError } from './action-error.tsx'
import { AgeNote } from './age-note.tsx'

/** Beside an answer of before that could not be read again: how old it is, and why. */
export function NotRefreshed({ query: { data, error, dataUpdatedAt } }: { query: UseQueryResult }) {
  if (!error || data === undefined) return null
  const { message, detail } = explainError(error)
  return (
    <p role="status">
      <AgeNote
        freshness={{
          fetchedAt: new Date(dataUpdatedAt).toISOString(),
          isStale: true,
          staleReason: `${message}. ${detail}`,
        }}
      />
    </p>
  )
}
