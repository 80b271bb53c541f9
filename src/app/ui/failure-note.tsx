import { Time } from './time.tsx'
import { useNow } from './use-now.ts'

const WHYS = {
  unavailable: 'it could not be reached, or it failed',
  timeout: 'it took too long to answer',
  unreadable: 'its answer could not be read',
  web_page: 'a web page came in the place of its answer',
  refused: 'it refused the request',
  key_refused: 'it refused the key',
  told_to_wait: 'it set a pause',
  forbidden: 'the plan did not include it',
  absent: 'the vendor did not have it',
}

type FailureNoteProps = {
  failure: { at: string; why: keyof typeof WHYS; retryAt: string | null }
}

/** When something was last called in vain, why, and when it is called again. */
export function FailureNote({ failure: { at, why, retryAt } }: FailureNoteProps) {
  const now = useNow()
  const isHeld = retryAt !== null && Date.parse(retryAt) > now
  return (
    <span className="block text-medium">
      Last tried <Time at={at} />: {WHYS[why]}.{' '}
      {isHeld ? (
        <>
          Tried again after <Time at={retryAt} show="clock" />.
        </>
      ) : (
        'The next call tries it again.'
      )}
    </span>
  )
}
