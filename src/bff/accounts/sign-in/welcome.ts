import {
  cookieNames,
  deviceCookie,
  endedStepCookie,
  hintCookie,
  sessionCookie,
  stepCookie,
} from '#bff/http/cookies.ts'
import type { RouteRequest } from '#bff/http/route.ts'
import type { Session } from '#contract/bff/session.ts'
import type { SignInAnswer, SignInStep } from '#contract/bff/sign-in-step.ts'
import type { Admission, Visitor } from './admission.ts'
import type { PendingStep } from './second-step.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function visitorOf(request: RouteRequest, isHttps: boolean): Visitor {
  const names = cookieNames(isHttps)
  return {
    route: request.route,
    requestId: request.id,
    address: request.address,
    device: describeDevice(request.userAgent),
    sessionToken: tokenOf(request.cookie(names.session)),
    deviceToken: tokenOf(request.cookie(names.device)),
    stepToken: tokenOf(request.cookie(names.step)),
  }
}

/** Sets the cookies of a browser that has just signed in. */
export function welcome(
  { session: { user, expiresAt }, sessionToken, deviceToken }: Admission,
  isHttps: boolean,
): { json: Session; cookies: string[] } {
  return {
    json: { user, expiresAt },
    cookies: [
      sessionCookie(isHttps, sessionToken),
      deviceCookie(isHttps, deviceToken),
      endedStepCookie(isHttps),
      hintCookie(isHttps),
    ],
  }
}

/** Does the same, or requests what is needed first: a second factor, or its set-up. */
export function welcomeOrStep(
  entered: Admission | PendingStep,
  isHttps: boolean,
): { json: SignInAnswer; cookies: string[] } {
  if ('step' in entered)
    return { json: { step: entered.step }, cookies: [stepCookie(isHttps, entered.stepToken)] }
  const admitted = welcome(entered, isHttps)
  return entered.session.mustEnrol ? { ...admitted, json: { step: ENROL } } : admitted
}

/** The step for people whose role needs a second factor. */
const ENROL: SignInStep = { kind: 'enrol', hasTotp: false, hasPasskeys: false }

/** A value without the shape of our tokens counts as none. */
function tokenOf(cookie: string | null): string | null {
  return cookie && TOKEN.test(cookie) ? cookie : null
}

/** The order matters: browsers also carry the names of their ancestors. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A browser in plain words: `Firefox on Windows`. Anybody can send any user agent: no word of it is taken over. */
export function describeDevice(userAgent: string): string {
  const [, browser = 'Unknown browser'] = BROWSERS.find(([pattern]) => pattern.test(userAgent)) ?? []
  const [, system] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? []
  return system ? `${browser} on ${system}` : browser
}
