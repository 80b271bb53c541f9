import { signInLinkSchema } from '#contract/bff/session.ts'

/** The token in `#link=TOKEN`: after the hash, where no server's log sees it. Null when there is none. */
export function readLinkToken(hash: string): string | null {
  const link = signInLinkSchema.safeParse({ token: new URLSearchParams(hash).get('link') })
  return link.success ? link.data.token : null
}
