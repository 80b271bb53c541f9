import { expect, onTestFinished } from 'vitest'
import type { SingleSignOnSettings } from '#bff/accounts/oidc/single-sign-on.ts'
import type { Session } from '#contract/bff/session.ts'
import { ssoFinishedSchema, ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, type TestBffOptions } from './ask-bff.ts'
import { CLIENT, type ProviderPerson, startOpenIdProvider } from './openid-provider.ts'
import { takeDatabase } from './with-database.ts'

export const LANTERN_URL = 'http://localhost:4173'
export const BOB = { sub: 'p-bob', email: 'bob@corp.example', email_verified: true, name: 'Bob Baker' }

type Rules = Partial<Pick<SingleSignOnSettings, 'allowedDomains' | 'trustsEmail' | 'roles'>>
type Options = Omit<TestBffOptions, 'singleSignOn' | 'publicUrl'> & {
  rules?: Rules
  database?: OpenDatabase
  namesSessions?: boolean
}
type Asker = Pick<Awaited<ReturnType<typeof createTestBff>>, 'ask'>

/** A BFF and a certified provider, and people who go from one to the other. */
export async function openSingleSignOn({ rules = {}, namesSessions, ...options }: Options = {}) {
  const database = options.database ?? (await takeDatabase('bff'))
  let deliver: (request: Request) => Promise<Response> = () => Promise.reject(new Error('Not there yet'))
  const provider = await startOpenIdProvider({
    lanternUrl: LANTERN_URL,
    deliver: (request) => deliver(request),
    ...(namesSessions !== undefined && { namesSessions }),
  })
  onTestFinished(() => provider.close())
  provider.be(BOB)
  const secret = 'a secret that signs what browsers keep'
  const startBff = (changed: Rules = rules, routes = options.routes ?? []) =>
    createTestBff(database, {
      ...options,
      routes,
      publicUrl: LANTERN_URL,
      singleSignOn: { issuer: provider.issuer, ...CLIENT, secret, ...changed },
    })
  const bff = await startBff()
  deliver = async (request) => bff.app.request(request)

  /** To the provider and back, and what Lantern answers. */
  async function travel(
    { ask }: Asker,
    startPath: string,
    person: ProviderPerson,
    there = provider.createBrowser(),
  ) {
    provider.be(person)
    const started = await ask(startPath, {
      method: 'POST',
      ...(startPath.startsWith('/bff/sign-in') && { body: {} }),
    })
    const { url } = ssoStartedSchema.parse(await started.json())
    const back = await there.visit(url)
    expect(`${back.origin}${back.pathname}`).toBe(`${LANTERN_URL}/sign-in`)
    return ask('/bff/sign-in/sso/finish', { body: Object.fromEntries(back.searchParams) })
  }

  return {
    ...bff,
    startBff,
    database,
    provider,
    travel,
    signInAs: (asker: Asker, person: ProviderPerson = BOB, there = provider.createBrowser()) =>
      travel(asker, '/bff/sign-in/sso', person, there),
    linkAs: (asker: Asker, person: ProviderPerson = BOB) => travel(asker, '/bff/profile/sso', person),
    readAudit: async (action: string) =>
      (
        await database.query(
          'select actor, object_name as "objectName", before, after from audit_event where action = $1 order by id',
          [action],
        )
      ).rows,
  }
}

export async function readUser(answer: Response): Promise<Session['user']> {
  return ssoFinishedSchema.parse(await answer.json()).user
}
