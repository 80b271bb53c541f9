import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ssoFinishedSchema, ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { CLIENT, startIdentityProvider } from '#test/support/fake-identity-provider.ts'
import { holdSignIns } from '#test/support/hold-sign-ins.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'a secret that signs what browsers keep'
const BOB = { sub: 'p-1', email: 'Bob@example.com', email_verified: true, name: 'Bob Baker' }

type Browser = Pick<Awaited<ReturnType<typeof createTestBff>>, 'ask'>

async function openSingleSignOn(taken?: OpenDatabase) {
  const database = taken ?? (await takeDatabase('bff'))
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.close())
  provider.person = BOB
  const singleSignOn = { issuer: provider.issuer, ...CLIENT, secret: SECRET }
  const bff = await createTestBff(database, { singleSignOn })

  /** To the provider and back, up to the page's address. */
  async function goThere({ ask }: Browser, redirect?: string) {
    const started = await ask('/bff/sign-in/sso', { body: { redirect } })
    const { url } = ssoStartedSchema.parse(await started.json())
    const back = await fetch(url, { redirect: 'manual' })
    const address = new URL(back.headers.get('location') ?? '')
    expect(`${address.origin}${address.pathname}`).toBe('http://localhost:4173/sign-in')
    return Object.fromEntries(address.searchParams)
  }
  const finish = ({ ask }: Browser, body: unknown) => ask('/bff/sign-in/sso/finish', { body })
  const signInBy = async (browser: Browser, redirect?: string) =>
    finish(browser, await goThere(browser, redirect))
  return { ...bff, database, provider, goThere, finish, signInBy }
}

test('signs a new person in as a viewer, and opens the requested page', async () => {
  const { ask, createBrowser, signInBy } = await openSingleSignOn()
  expect(await (await ask('/bff/sign-in/options')).json()).toMatchObject({ hasSingleSignOn: true })
  const browser = createBrowser()

  const answer = await signInBy(browser, '/threats?country=DE&q=a%20b')

  const { user, redirect } = ssoFinishedSchema.parse(await answer.json())
  expect(user).toMatchObject({ email: 'bob@example.com', name: 'Bob Baker', role: 'viewer' })
  expect(redirect).toBe('/threats?country=DE&q=a%20b')
  expect(await browser.readSession()).not.toBeNull()
  expect(browser.cookies.has('lantern_sso')).toBe(false)
  const again = await signInBy(createBrowser())
  expect(ssoFinishedSchema.parse(await again.json()).user.id).toBe(user.id)
})

test('finds an invited account by its verified address, and later by the identity', async () => {
  const { provider, createBrowser, signInBy, database } = await openSingleSignOn()
  await database.query('update account set password_hash = null')
  provider.person = { ...BOB, email: ADMIN.email.toUpperCase() }
  const first = ssoFinishedSchema.parse(await (await signInBy(createBrowser())).json())
  expect(first.user).toMatchObject({ email: ADMIN.email, role: 'admin' })

  provider.person = { ...BOB, email: 'renamed@example.com' }
  const second = ssoFinishedSchema.parse(await (await signInBy(createBrowser())).json())
  expect(second.user.id).toBe(first.user.id)
})

test.for([
  ['the address', ['email', 'email_verified']],
  ['whether the address is verified', ['email_verified']],
] as const)('requests %s if the token does not contain it', async ([, withheld]) => {
  const { provider, createBrowser, signInBy } = await openSingleSignOn()
  provider.withheld = withheld
  const { user } = ssoFinishedSchema.parse(await (await signInBy(createBrowser())).json())
  expect(user.email).toBe('bob@example.com')
})

test('accepts the text "true" as a verified address', async () => {
  const { provider, createBrowser, signInBy } = await openSingleSignOn()
  provider.person = { ...BOB, email_verified: 'true' }
  expect((await signInBy(createBrowser())).status).toBe(200)
})

test.for([
  ['an unverified address', { ...BOB, email_verified: false }],
  ['an unverified address, in words', { ...BOB, email_verified: 'false' }],
  ['what is no address', { ...BOB, email: 'bob' }],
  ['no address', { sub: 'p-2' }],
  ['no word on whether the address is verified', { sub: 'p-2', email: ADMIN.email }],
] as const)('refuses %s', async ([, person]) => {
  const { provider, createBrowser, signInBy, database } = await openSingleSignOn()
  provider.person = person
  expect((await readProblem(await signInBy(createBrowser()))).code).toBe('sign_in_failed')
  expect((await database.query('select from account')).rowCount).toBe(1)
})

test('gives no account to another person who has its address now', async () => {
  const { provider, createBrowser, signInBy } = await openSingleSignOn()
  await signInBy(createBrowser())
  provider.person = { ...BOB, sub: 'someone-else' }
  expect((await readProblem(await signInBy(createBrowser()))).detail).toMatch('belongs to another identity')
})

test('keeps a disabled account out', async () => {
  const { database, createBrowser, signInBy } = await openSingleSignOn()
  await signInBy(createBrowser())
  await database.query(`update account set disabled_at = now() where email = 'bob@example.com'`)
  expect((await readProblem(await signInBy(createBrowser()))).title).toBe('This account is disabled')
})

test('refuses a user whose account is disabled while the sign-in completes', async () => {
  const { held, unhindered, countStored, release } = await holdSignIns()
  const { createBrowser, signInBy } = await openSingleSignOn(held)
  const finished = signInBy(createBrowser())
  await expect.poll(countStored).toBe(1)
  await unhindered.query(`update account set disabled_at = now() where email = 'bob@example.com'`)
  release()

  expect((await readProblem(await finished)).title).toBe('This account is disabled')
  expect((await unhindered.query('select from session')).rowCount).toBe(0)
})

test('accepts a callback once, only from the same browser and with its state', async () => {
  const { createBrowser, goThere, finish } = await openSingleSignOn()
  const [mine, other] = [createBrowser(), createBrowser()]
  const answer = await goThere(mine)

  expect((await finish(other, answer)).status).toBe(401)
  expect((await finish(mine, { ...answer, state: 'x' })).status).toBe(401)
  mine.cookies.set('lantern_sso', `${mine.cookies.get('lantern_sso')?.split('.')[0]}.${'A'.repeat(43)}`)
  expect((await finish(mine, answer)).status).toBe(401)

  const third = createBrowser()
  const used = await goThere(third)
  const cookie = third.cookies.get('lantern_sso') ?? ''
  expect((await finish(third, used)).status).toBe(200)
  third.cookies.set('lantern_sso', cookie)
  expect((await finish(third, used)).status).toBe(401)
})

test.for([
  ['another nonce', { nonce: 'x' }, 'cannot accept'],
  ['another issuer', { issuer: 'https://evil.example' }, 'cannot accept'],
  [
    'a key of nobody',
    { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
    'cannot accept',
  ],
  ['a time long past', { ageSeconds: 600 }, 'clocks'],
] as const)('refuses a token with %s, and reports the fault', async ([, lies, words]) => {
  const { provider, createBrowser, signInBy, database } = await openSingleSignOn()
  provider.lies = lies
  const browser = createBrowser()
  const problem = await readProblem(await signInBy(browser))
  expect(problem).toMatchObject({ status: 401, detail: expect.stringMatching(words) })
  expect(browser.cookies.has('lantern_sid')).toBe(false)
  expect((await database.query('select from account')).rowCount).toBe(1)
})

test('says so when the provider stops answering half-way', async () => {
  const { provider, createBrowser, goThere, finish } = await openSingleSignOn()
  const browser = createBrowser()
  const answer = await goThere(browser)
  provider.isDown = true
  expect(await readProblem(await finish(browser, answer))).toMatchObject({ code: 'sign_in_unavailable' })
})

test('forged callbacks leave no audit record, but a refused person does', async () => {
  const { database, provider, createBrowser, goThere, finish, signInBy } = await openSingleSignOn()
  const browser = createBrowser()
  const answer = await goThere(browser)
  const begun = browser.cookies.get('lantern_sso') ?? ''
  for (const body of [{ state: 'x' }, { ...answer, code: 'x' }, { ...answer, code: 'y' }]) {
    browser.cookies.set('lantern_sso', begun)
    expect((await finish(browser, body)).status).toBe(401)
  }
  const recorded = async () => (await database.query('select action from audit_event')).rows
  expect(await recorded()).toEqual([])
  provider.person = { ...BOB, email_verified: false }
  await signInBy(browser)
  expect(await recorded()).toEqual([{ action: 'sign-in-failed' }])
})

test('recognises users by any stored spelling of the issuer', async () => {
  const { database, provider, createBrowser, signInBy } = await openSingleSignOn()
  const { user } = ssoFinishedSchema.parse(await (await signInBy(createBrowser())).json())
  const respelt = { issuer: provider.issuer.replace('http:', 'HTTP:'), ...CLIENT, secret: SECRET }
  const { createBrowser: createOther } = await createTestBff(database, { singleSignOn: respelt })
  // Earlier versions recorded the spelling of the settings.
  for (const issuer of [provider.issuer, respelt.issuer]) {
    await database.query('update account set oidc_issuer = $1 where oidc_subject is not null', [issuer])
    const answer = await signInBy(createOther())
    expect(ssoFinishedSchema.parse(await answer.json()).user.id).toBe(user.id)
  }
  const { rows } = await database.query(
    'select oidc_issuer as issuer from account where oidc_issuer is not null',
  )
  expect(rows).toEqual([{ issuer: provider.issuer }])
})

test('says so when the provider says no', async () => {
  const { provider, createBrowser, signInBy } = await openSingleSignOn()
  provider.person = null
  expect(await readProblem(await signInBy(createBrowser()))).toMatchObject({
    status: 401,
    detail: expect.stringMatching('did not let you in'),
  })
})

test('finds a provider once it is up, and requests its configuration at most once a second', async () => {
  const { ask, provider, createBrowser, signInBy, wait, signIn } = await openSingleSignOn()
  provider.isDown = true
  const start = () => ask('/bff/sign-in/sso', { body: {} })
  const answers = await Promise.all([start(), start(), start()])
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  expect((await readProblem(await start())).code).toBe('sign_in_unavailable')
  const requestCount = provider.requests.length
  expect(requestCount).toBe(1)
  expect((await signIn()).status).toBe(200)

  provider.isDown = false
  expect((await start()).status).toBe(503)
  wait(1_001)
  expect((await signInBy(createBrowser())).status).toBe(200)

  // Known by then: it need not answer for a browser to be sent there.
  provider.isDown = true
  wait(2 * 3_600_000)
  expect((await start()).status).toBe(200)
})

test('accepts only paths of this site as the page after sign-in', async () => {
  const { ask } = await openSingleSignOn()
  for (const redirect of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    expect((await ask('/bff/sign-in/sso', { body: { redirect } })).status).toBe(400)
  }
})

test('answers 404 to single sign-on without a provider', async () => {
  const { ask } = await createTestBff(await takeDatabase('bff'))
  expect((await ask('/bff/sign-in/sso', { body: {} })).status).toBe(404)
})

const OLD = `update session set proved_at = now() - interval '601 seconds'`

test.for([
  ['does not say when', null],
  ['names a time to come', -600],
  ['names a time before it was asked', 600],
] as const)(
  'refuses a new sign-in if the provider %s, and keeps the session and its proof',
  async ([, authAgeSeconds]) => {
    const { provider, database, createBrowser, signInBy } = await openSingleSignOn()
    const browser = createBrowser()
    await signInBy(browser)
    const unlink = async () => readProblem(await browser.ask('/bff/profile/sso', { method: 'DELETE' }))
    expect(await unlink()).toMatchObject({ title: 'Not unlinked' })
    const token = browser.cookies.get('lantern_sid')

    provider.lies.authAgeSeconds = authAgeSeconds
    const refused = await readProblem(await signInBy(browser))
    expect(refused).toMatchObject({
      code: 'sign_in_failed',
      detail: expect.stringContaining('signed in here as before'),
    })
    expect(browser.cookies.get('lantern_sid')).toBe(token)
    expect(await unlink()).toMatchObject({ title: 'Not unlinked' })
    await database.query(OLD)
    await signInBy(browser)
    expect(await unlink()).toMatchObject({ code: 'fresh_proof_needed' })

    provider.lies.authAgeSeconds = 0
    expect((await signInBy(browser)).status).toBe(200)
    expect(await unlink()).toMatchObject({ title: 'Not unlinked' })
  },
)

test.for([
  ['does not say when', null],
  ['names a time to come', -600],
] as const)(
  'a sign-in where the provider %s opens a session, and is no fresh proof',
  async ([, authAgeSeconds]) => {
    const { provider, createBrowser, signInBy } = await openSingleSignOn()
    provider.lies.authAgeSeconds = authAgeSeconds
    const browser = createBrowser()
    expect((await signInBy(browser)).status).toBe(200)
    const answer = await browser.ask('/bff/profile/sso', { method: 'DELETE' })
    expect((await readProblem(answer)).code).toBe('fresh_proof_needed')
  },
)

test('limits refused codes by address before it requests a token, and does not count successes', async () => {
  const { provider, createBrowser, goThere, finish } = await openSingleSignOn()
  const browser = createBrowser()
  const { state } = await goThere(browser)
  const send = (peerAddress: string) =>
    browser.ask('/bff/sign-in/sso/finish', { body: { state, code: 'made-up' }, peerAddress })
  const statuses: number[] = []
  for (let round = 0; round < 7; round += 1) statuses.push((await send('203.0.113.7')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  expect(provider.requests.filter((path) => path === '/realm/token')).toHaveLength(5)
  expect((await send('203.0.113.8')).status).toBe(401)

  for (let round = 0; round < 7; round += 1) {
    const other = createBrowser()
    expect((await finish(other, await goThere(other))).status).toBe(200)
  }
})

test('made-up answers to a linking of accounts are limited as those to a sign-in are', async () => {
  const { provider, ask, signIn } = await openSingleSignOn()
  await signIn()
  const begun = await ask('/bff/profile/sso', { method: 'POST' })
  const { url } = ssoStartedSchema.parse(await begun.json())
  const body = { state: new URL(url).searchParams.get('state'), code: 'made-up' }
  const statuses: number[] = []
  for (let round = 0; round < 7; round += 1)
    statuses.push((await ask('/bff/sign-in/sso/finish', { body })).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  expect(provider.requests.filter((path) => path === '/realm/token')).toHaveLength(5)
})
