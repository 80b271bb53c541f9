import { Link } from '@tanstack/react-router'
import { isUnknown } from '#app/api/api-error.ts'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'

type ActorFailureProps = { name: string; error: Error; onRetry(): void }

const NAME_MAX_LENGTH = 200

/** The page of an actor that cannot be shown. */
export function ActorFailure({ name, error, onRetry }: ActorFailureProps) {
  const q = name.slice(0, NAME_MAX_LENGTH)
  const unknown = {
    title: 'No such actor is known',
    reason: isUnknown(error) && error.detail,
    links: (
      <>
        <Link to="/actors" search={{ q }}>
          Look for a similar name
        </Link>
        <Link to="/threats" search={{ q }}>
          Search the threats
        </Link>
      </>
    ),
  }
  return (
    <SubjectFailure
      name={name}
      noun="Actor"
      error={error}
      unknown={isUnknown(error) ? unknown : null}
      onRetry={onRetry}
    />
  )
}
