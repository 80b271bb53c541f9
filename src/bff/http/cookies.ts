type CookieNames = { session: string; device: string; step: string; form: string; hint: string }

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

/** It ends with the browser; the server ends it sooner. */
export function sessionCookie(isHttps: boolean, token: string): string {
  return `${cookieNames(isHttps).session}=${token}${attributesOf(isHttps)}`
}

export function endedSessionCookie(isHttps: boolean): string {
  return `${sessionCookie(isHttps, '')}; Max-Age=0`
}

export function deviceCookie(isHttps: boolean, token: string): string {
  return `${cookieNames(isHttps).device}=${token}${attributesOf(isHttps)}; Max-Age=${DEVICE_MAX_AGE_SECONDS}`
}

/** Names a sign-in that waits for its second step. */
export function stepCookie(isHttps: boolean, token: string): string {
  return `${cookieNames(isHttps).step}=${token}${attributesOf(isHttps)}`
}

export function endedStepCookie(isHttps: boolean): string {
  return `${stepCookie(isHttps, '')}; Max-Age=0`
}

/** The forms of the sign-in page must repeat this token. */
export function formCookie(isHttps: boolean, token: string): string {
  return `${cookieNames(isHttps).form}=${token}${attributesOf(isHttps)}`
}

/**
 * Says that this browser has signed in, and opens nothing. It alone comes along from a link on another site, so that such
 * a link opens the app at once.
 */
export function hintCookie(isHttps: boolean): string {
  return `${cookieNames(isHttps).hint}=1${attributesOf(isHttps, 'Lax')}`
}

export function endedHintCookie(isHttps: boolean): string {
  return `${cookieNames(isHttps).hint}=${attributesOf(isHttps, 'Lax')}; Max-Age=0`
}

export function attributesOf(isHttps: boolean, site: 'Strict' | 'Lax' = 'Strict'): string {
  return `; Path=/; HttpOnly; SameSite=${site}${isHttps ? '; Secure' : ''}`
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
