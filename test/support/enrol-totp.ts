import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { factorsChangedSchema, totpSetupSchema } from '#contract/bff/factor.ts'
import type { TestRequest } from './ask-bff.ts'

type Browser = { ask(path: string, request?: TestRequest): Promise<Response> }

/** What the app shows so many seconds from now. A code is taken once, and none that is older. */
export function codeOf(secret: string, inSeconds: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + inSeconds })
}

/** Sets up an authenticator app as its person would, by the code of now. */
export async function enrolTotp({ ask }: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const setup = await ask('/bff/factors/totp', { method: 'POST' })
  expect(setup.status).toBe(201)
  const { secret } = totpSetupSchema.parse(await setup.json())
  const confirmed = await ask('/bff/factors/totp', { method: 'PUT', body: { code: codeOf(secret, 0) } })
  expect(confirmed.status).toBe(200)
  const { recoveryCodes } = factorsChangedSchema.parse(await confirmed.json())
  return { secret, recoveryCodes: recoveryCodes ?? [] }
}
