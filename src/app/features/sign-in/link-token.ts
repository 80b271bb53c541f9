import { signInLinkSchema } from '#contract/bff/session.ts'

/** A token after the hash, where no server's log sees it: `#link=…` signs in, `#password=…` sets a password. */
export function readLinkToken(hash: string, kind: 'link' | 'password'): string | null {
  const link = signInLinkSchema.safeParse({ token: new URLSearchParams(hash).get(kind) })
  return link.success ? link.data.token : null
}
