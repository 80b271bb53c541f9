import * as z from 'zod/mini'
import { auditFacts } from '#bff/accounts/audit/record-audit.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  passkeyChangeSchema,
  passkeyRegistrationSchema,
  totpConfirmationSchema,
} from '#contract/bff/factor.ts'
import type { Role } from '#contract/bff/session.ts'
import { idSchema } from '#contract/id.ts'
import type { FactorDependencies } from './check-factor.ts'
import { createFactors } from './factors.ts'

const EVERYONE = { access: 'viewer', cache: 'none' } as const
const CHANGE = { ...EVERYONE, needsFreshProof: true } as const
const ENROLMENT = { ...CHANGE, isForEnrolment: true } as const
const ID = z.object({ id: idSchema })

/** The reader's own second factors. */
export function factorRoutes(
  deps: FactorDependencies & { sessions: SessionStore; factorRoles: readonly Role[] },
): BffRoute[] {
  const factors = createFactors(deps)

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/factors',
      ...EVERYONE,
      isForEnrolment: true,
      answer: async ({ session }) => ({ json: await factors.read(session) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/factors/totp',
      ...ENROLMENT,
      answer: async ({ session }) => ({ status: 201, json: await factors.beginTotp(session) }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/factors/totp',
      ...ENROLMENT,
      body: totpConfirmationSchema,
      async answer({ body: { code }, ...request }) {
        const facts = auditFacts('PUT /bff/factors/totp', request)
        return { json: await factors.confirmTotp(request.session, code, facts) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/factors/totp',
      ...CHANGE,
      async answer(request) {
        const facts = auditFacts('DELETE /bff/factors/totp', request)
        return { json: await factors.removeTotp(request.session, facts) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/factors/passkeys/options',
      ...ENROLMENT,
      answer: async ({ session }) => ({ json: await factors.beginPasskey(session) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/factors/passkeys',
      ...ENROLMENT,
      body: passkeyRegistrationSchema,
      async answer({ body, ...request }) {
        const facts = auditFacts('POST /bff/factors/passkeys', request)
        return { status: 201, json: await factors.addPasskey(request.session, body, facts) }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/factors/passkeys/:id',
      ...CHANGE,
      params: ID,
      body: passkeyChangeSchema,
      async answer({ params: { id }, body: { name }, ...request }) {
        const facts = auditFacts('PUT /bff/factors/passkeys/:id', request)
        return { json: await factors.renamePasskey(request.session, id, name, facts) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/factors/passkeys/:id',
      ...CHANGE,
      params: ID,
      async answer({ params: { id }, ...request }) {
        const facts = auditFacts('DELETE /bff/factors/passkeys/:id', request)
        return { json: await factors.removePasskey(request.session, id, facts) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/factors/recovery-codes',
      ...CHANGE,
      async answer(request) {
        const facts = auditFacts('POST /bff/factors/recovery-codes', request)
        return { status: 201, json: await factors.renewRecoveryCodes(request.session, facts) }
      },
    }),
  ]
}
