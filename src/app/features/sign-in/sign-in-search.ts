const HERE = 'https://lantern.invalid'

export type SignInSearch = {
  /** Where to go after signing in: a path of this site and nothing else. Any other value is as if absent. */
  redirect?: string | undefined
  /** Why the page came by itself. */
  reason?: 'session_ended' | undefined
  /** What a provider of single sign-on sends back. */
  state?: string | undefined
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** By hand, not by schema: it is part of every first visit. */
export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const read = (name: string) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const redirect = read('redirect')
  return {
    redirect: redirect && isOwnPath(redirect) ? redirect : undefined,
    reason: search.reason === 'session_ended' ? 'session_ended' : undefined,
    state: read('state'),
    code: read('code'),
    iss: read('iss'),
    error: read('error'),
  }
}

export function isOwnPath(address: string): boolean {
  // Browsers drop tabs and line breaks and read `\` as `/`, so the parser has the last word.
  return /^\/(?![/\\])/.test(address) && URL.parse(address, HERE)?.origin === HERE
}
