import type { ReactNode } from 'react'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Role } from '#contract/bff/session.ts'
import type { Source } from '#contract/bff/source.ts'

/** Why a reader cannot create profiles, as far as the page can know; the BFF decides. Null when nothing speaks against it. */
export function creationRefusal(role: Role, source: Source | undefined): ReactNode {
  if (role === 'viewer') {
    return 'Viewers may try keywords here; creating a profile takes the role of analyst. An administrator can give it to you.'
  }
  if (source?.sets.earlier.status === 'forbidden') {
    return (
      <>
        The plan of Lantern’s key does not include alert profiles; the backtest works all the same.
        {source.sets.earlier.reason !== null && (
          <>
            {' '}
            The API says: “<Untrusted text={source.sets.earlier.reason} maxLength={200} clip="silent" />”
          </>
        )}
      </>
    )
  }
  return null
}
