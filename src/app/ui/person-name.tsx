import { Untrusted } from './untrusted.tsx'

const MAX_LENGTH = 160
/** A name with the email that tells it from another one, or the email of somebody who is gone. */
const WITH_EMAIL = /^(?:(.+) \()?([\w.+'-]+@[\w.-]+)\)?$/s

/** Names somebody of the team, as answers do. People choose their names; their emails are shown as they are. */
export function PersonName({ name, maxLength = MAX_LENGTH }: { name: string; maxLength?: number }) {
  const [, chosen, email] = WITH_EMAIL.exec(name) ?? [undefined, name]
  return (
    <>
      {chosen !== undefined && <Untrusted text={chosen} clip="silent" maxLength={maxLength} />}
      {/* An element: a name that stands alone in a cut line is a block. */}
      {email !== undefined && <span>{chosen === undefined ? email : ` (${email})`}</span>}
    </>
  )
}
