export type CookieNames = { session: string; device: string }

const DEVICE_MAX_AGE_SECONDS = 90 * 24 * 60 * 60

/** The `__Host-` prefix binds a cookie to this host over https, `Http` to HTTP answers; plain loopback cannot have it. */
export function cookieNames(isHttps: boolean): CookieNames {
  return isHttps
    ? { session: '__Host-Http-sid', device: '__Host-Http-device' }
    : { session: 'lantern_sid', device: 'lantern_device' }
}

export type Cookies = {
  names: CookieNames
  /** Ends with the browser; the server ends it sooner. */
  setSession(token: string): string
  endSession(): string
  setDevice(token: string): string
}

export function createCookies(isHttps: boolean): Cookies {
  const names = cookieNames(isHttps)
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`
  return {
    names,
    setSession: (token) => `${names.session}=${token}${attributes}`,
    endSession: () => `${names.session}=${attributes}; Max-Age=0`,
    setDevice: (token) => `${names.device}=${token}${attributes}; Max-Age=${DEVICE_MAX_AGE_SECONDS}`,
  }
}

/** A cookie's value; the first, as browsers send the most specific path first. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  if (!header) return null
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}
