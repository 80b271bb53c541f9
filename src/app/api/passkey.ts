import type { StartAuthenticationOpts, StartRegistrationOpts } from '@simplewebauthn/browser'
import { ApiError } from './api-error.ts'

/** Lets the browser make a passkey as the server asks for it, as JSON for the server. */
export async function createPasskey(optionsJSON: unknown): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  if (!isMade<StartRegistrationOpts['optionsJSON']>(optionsJSON)) throw explained(null)
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw explained(error)
  })
}

/** Lets the browser ask for a passkey that is there, as JSON for the server. */
export async function askPasskey(optionsJSON: unknown): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  if (!isMade<StartAuthenticationOpts['optionsJSON']>(optionsJSON)) throw explained(null)
  return startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw explained(error)
  })
}

/** Options from the server are passed to the browser unchanged. No part of the app reads them. */
function isMade<Options extends object>(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && 'challenge' in value
}

/** Browsers say little: that somebody cancelled, or that time was over, has one name. */
function explained(cause: unknown): ApiError {
  const name = cause instanceof Error ? cause.name : ''
  const [title, detail] = WORDS.get(name) ?? WORDS_ELSE
  return new ApiError({ type: 'about:blank', status: 400, code: 'bad_request', title, detail }, { cause })
}

const WORDS: ReadonlyMap<string, readonly [string, string]> = new Map([
  [
    'InvalidStateError',
    ['This device holds a passkey of yours already', 'Use another device, or keep that one.'],
  ],
  ['NotAllowedError', ['No passkey was used', 'It was cancelled, or took too long. Try again.']],
  [
    'SecurityError',
    ['Passkeys do not work at this address', 'Open Lantern by the address that your admin gave you.'],
  ],
])
const WORDS_ELSE = ['The browser could not use a passkey', 'Try again, or use another way.'] as const
