export type CookieNames = { session: string; device: string; step: string; form: string; hint: string }

const DEVICE_MAX_AGE_SECONDS = 90 * 24 * 60 * 60

/** The `__Host-` prefix binds a cookie to this host over https, `Http` to HTTP answers; plain loopback cannot have it. */
export function cookieNames(isHttps: boolean): CookieNames {
  return isHttps
    ? {
        session: '__Host-Http-sid',
        device: '__Host-Http-device',
        step: '__Host-Http-step',
        form: '__Host-Http-form',
        hint: '__Host-Http-hint',
      }
    : {
        session: 'lantern_sid',
        device: 'lantern_device',
        step: 'lantern_step',
        form: 'lantern_form',
        hint: 'lantern_hint',
      }
}

export type Cookies = {
  names: CookieNames
  /** Ends with the browser; the server ends it sooner. */
  setSession(token: string): string
  endSession(): string
  setDevice(token: string): string
  /** Names a sign-in that waits for its second step. */
  setStep(token: string): string
  endStep(): string
  /** The forms of the sign-in page must repeat this token. */
  setForm(token: string): string
  /**
   * Says that this browser has signed in, and opens nothing. It alone comes along from a link on another site, so that such
   * a link opens the app at once.
   */
  setHint(): string
  endHint(): string
}

export function createCookies(isHttps: boolean): Cookies {
  const names = cookieNames(isHttps)
  const attributesOf = (site: 'Strict' | 'Lax') =>
    `; Path=/; HttpOnly; SameSite=${site}${isHttps ? '; Secure' : ''}`
  const attributes = attributesOf('Strict')
  return {
    names,
    setSession: (token) => `${names.session}=${token}${attributes}`,
    endSession: () => `${names.session}=${attributes}; Max-Age=0`,
    setDevice: (token) => `${names.device}=${token}${attributes}; Max-Age=${DEVICE_MAX_AGE_SECONDS}`,
    setStep: (token) => `${names.step}=${token}${attributes}`,
    endStep: () => `${names.step}=${attributes}; Max-Age=0`,
    setForm: (token) => `${names.form}=${token}${attributes}`,
    setHint: () => `${names.hint}=1${attributesOf('Lax')}`,
    endHint: () => `${names.hint}=${attributesOf('Lax')}; Max-Age=0`,
  }
}

/** A cookie's value; the first, as browsers send the most specific path first. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  if (!header) return null
  for (let start = 0; start < header.length; ) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    while (header[start] === ' ') start += 1
    if (header[start + name.length] === '=' && header.startsWith(name, start)) {
      return header.slice(start + name.length + 1, end).trim()
    }
    start = end + 1
  }
  return null
}
