import { readOwnPath } from '#contract/bff/own-path.ts'

export const HOME = '/'
/** The app's page where a second factor is set up, for those who can do nothing else before. */
export const ENROL_PATH = '/sign-in/second-factor'

/** The page's address names where a sign-in leads. */
export type SignInReturn = {
  /** A page of this site. Any other value is as if absent. */
  redirect?: string | undefined
  /** Whose place that is: anybody else begins at the overview. */
  userId?: string | undefined
  /** The page was opened automatically for this reason. */
  isSessionEnded?: boolean
}

export function readReturn(search: URLSearchParams): SignInReturn {
  const redirect = readOwnPath(search.get('redirect') ?? '') ?? undefined
  const userId = search.get('for') || undefined
  return { redirect, userId, isSessionEnded: search.get('reason') === 'session_ended' }
}

/** The address of the sign-in page, or of one beside it, with the same return. */
export function addressOf(
  { redirect, userId, isSessionEnded = false }: SignInReturn,
  more: Readonly<Record<string, string>> = {},
  path = '/sign-in',
): string {
  const search = new URLSearchParams({
    ...(redirect !== undefined && redirect !== HOME && { redirect }),
    ...(userId !== undefined && { for: userId }),
    ...(isSessionEnded && { reason: 'session_ended' }),
    ...more,
  })
  return search.size > 0 ? `${path}?${search}` : path
}
