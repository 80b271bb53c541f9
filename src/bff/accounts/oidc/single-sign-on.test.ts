import { describe, expect, test } from 'vitest'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { BOB, openSingleSignOn, readUser } from '#test/support/open-single-sign-on.ts'

const ROLES = {
  claim: 'groups',
  pairs: [
    { value: 'lantern-admins', role: 'admin' },
    { value: 'soc', role: 'analyst' },
    { value: 'staff', role: 'viewer' },
  ],
} as const
const EVE = { sub: 'p-eve', email: 'eve@corp.example', email_verified: true, groups: ['lantern-admins'] }

test('creates an account for a new person, and recognises them after a change of address', async () => {
  const { createBrowser, signInAs } = await openSingleSignOn()
  const browser = createBrowser()
  const user = await readUser(await signInAs(browser))
  expect(user).toMatchObject({ email: 'bob@corp.example', name: 'Bob Baker', role: 'viewer' })
  expect(await browser.readSession()).not.toBeNull()

  const renamed = { ...BOB, email: ADMIN.email }
  expect((await readUser(await signInAs(createBrowser(), renamed))).id).toBe(user.id)
})

test('is only as fresh as the sign-in at the provider, also after a new sign-in', async () => {
  const { createBrowser, signInAs, provider, readAudit } = await openSingleSignOn()
  const [browser, there] = [createBrowser(), provider.createBrowser()]
  const unlink = async () => (await browser.ask('/bff/profile/sso', { method: 'DELETE' })).json()
  provider.haveSignedIn(601)
  await signInAs(browser, BOB, there)
  expect(await unlink()).toMatchObject({ code: 'fresh_proof_needed' })

  // Somebody else at that browser cannot continue without the provider's form.
  browser.cookies.clear()
  await signInAs(browser, BOB, there)
  expect(await unlink()).toMatchObject({ code: 'fresh_proof_needed' })

  provider.haveSignedIn(0)
  await signInAs(browser, BOB, there)
  expect(await unlink()).toMatchObject({ code: 'conflict', title: 'Not unlinked' })
  expect(await readAudit('sign-in-by-sso')).toHaveLength(3)
})

describe('groups are roles', () => {
  test('grant the highest role', async () => {
    const { createBrowser, signInAs } = await openSingleSignOn({ rules: { roles: ROLES } })
    const groups = ['staff', 'lantern-admins', 'soc', 'others']
    expect(await readUser(await signInAs(createBrowser(), { ...BOB, groups }))).toMatchObject({
      role: 'admin',
    })
  })

  test.for([
    ['no group', undefined],
    ['other groups', ['Soc', 'lantern-admins ', 'admin']],
    ['an empty list', []],
  ] as const)('refuse a person with %s, and report why', async ([, groups]) => {
    const { createBrowser, signInAs, database } = await openSingleSignOn({ rules: { roles: ROLES } })
    const problem = await readProblem(await signInAs(createBrowser(), { ...BOB, ...(groups && { groups }) }))
    expect(problem).toMatchObject({
      code: 'sign_in_failed',
      detail: expect.stringMatching(/in no group .*\(claim groups\)/),
    })
    expect((await database.query('select from account')).rowCount).toBe(1)
  })

  test('apply at each sign-in: a changed role ends sessions and feed addresses of the old one', async () => {
    const { createBrowser, signInAs, database, readAudit } = await openSingleSignOn({
      rules: { roles: ROLES },
    })
    const [before, after] = [createBrowser(), createBrowser()]
    const { id } = await readUser(await signInAs(before, { ...BOB, groups: ['lantern-admins'] }))
    expect((await before.ask('/bff/users')).status).toBe(200)
    await database.query(
      `insert into saved_view (account_id, name, filter, time_zone, is_shared, feed_token_hash)
       values ($1, 'v', '{}', 'UTC', false, sha256('x'))`,
      [id],
    )

    expect(await readUser(await signInAs(after, { ...BOB, groups: ['staff'] }))).toMatchObject({
      id,
      role: 'viewer',
    })
    expect(await before.readSession()).toBeNull()
    expect((await after.ask('/bff/users')).status).toBe(403)
    const { rows } = await database.query('select feed_token_hash as token from saved_view')
    expect(rows).toEqual([{ token: null }])
    expect(await readAudit('user-changed')).toMatchObject([
      {
        objectName: BOB.email,
        before: '{"role":"admin"}',
        after: '{"role":"viewer","saidBy":"single sign-on"}',
      },
    ])
  })

  test('end all sessions of a person who lost every group', async () => {
    const { createBrowser, signInAs, database } = await openSingleSignOn({ rules: { roles: ROLES } })
    const browser = createBrowser()
    const { id } = await readUser(await signInAs(browser, { ...BOB, groups: ['soc'] }))
    const refusal = await readProblem(await signInAs(createBrowser(), { ...BOB, groups: ['others'] }))
    expect(refusal.detail).toMatch('in no group')
    expect(await browser.readSession()).toBeNull()
    const { rows } = await database.query('select role from account where id = $1', [id])
    expect(rows).toEqual([{ role: 'viewer' }])
  })

  test('cannot demote the last admin: the sign-in is refused with a reason', async () => {
    const { createBrowser, signInAs, database, readAudit } = await openSingleSignOn({
      rules: { roles: ROLES },
    })
    const browser = createBrowser()
    await readUser(await signInAs(browser, { ...BOB, groups: ['lantern-admins'] }))
    await database.query('update account set disabled_at = now() where email = $1', [ADMIN.email])

    for (const groups of [['soc'], []]) {
      const refusal = await readProblem(await signInAs(createBrowser(), { ...BOB, groups }))
      expect(refusal.detail).toMatch(/last admin .*the command break-glass/)
    }
    expect(await browser.readSession()).toBeNull()
    const { rows } = await database.query('select role from account where email = $1', [BOB.email])
    expect(rows).toEqual([{ role: 'admin' }])
    expect(await readAudit('sign-in-failed')).toMatchObject([
      { objectName: BOB.email, after: expect.stringMatching('last admin') },
      { objectName: BOB.email },
    ])

    // With another admin there, the provider's role counts again.
    await readUser(await signInAs(createBrowser(), EVE))
    expect(await readUser(await signInAs(createBrowser(), { ...BOB, groups: ['soc'] }))).toMatchObject({
      role: 'analyst',
    })
  })
})

describe('mail domains', () => {
  const rules = { allowedDomains: ['corp.example'] }

  test('admit their own addresses, also in capitals', async () => {
    const { createBrowser, signInAs } = await openSingleSignOn({ rules })
    const person = { ...BOB, email: 'Bob@CORP.example' }
    expect((await signInAs(createBrowser(), person)).status).toBe(200)
  })

  test.for([
    'bob@evil-corp.example',
    'bob@corp.example.evil',
    'bob@sub.corp.example',
    'bob@evil.example@corp.example',
    '"bob@corp.example"@evil.example',
    'bob@corp.example.',
    'bob',
  ])('keep out %s', async (email) => {
    const { createBrowser, signInAs, database } = await openSingleSignOn({ rules })
    expect((await signInAs(createBrowser(), { ...BOB, email })).status).toBe(401)
    expect((await database.query('select from account')).rowCount).toBe(1)
  })

  test('refuse a known person whose address has moved to another domain', async () => {
    const { createBrowser, signInAs } = await openSingleSignOn({ rules })
    expect((await signInAs(createBrowser())).status).toBe(200)
    for (const changed of [{ email: 'bob@evil.example' }, { email_verified: false }]) {
      const refusal = await readProblem(await signInAs(createBrowser(), { ...BOB, ...changed }))
      expect(refusal.code).toBe('sign_in_failed')
    }
    const refusal = await readProblem(await signInAs(createBrowser(), { ...BOB, email: 'bob@evil.example' }))
    expect(refusal.detail).toMatch('Addresses of your mail domain may not sign in here')
  })
})

describe('a provider that does not report whether addresses are verified', () => {
  const { email_verified: _, ...unconfirmed } = BOB

  test('is trusted if the settings declare it, but not for an unverified address', async () => {
    const { createBrowser, signInAs } = await openSingleSignOn({ rules: { trustsEmail: true } })
    for (const claim of [false, 'false', 'no']) {
      expect((await signInAs(createBrowser(), { ...BOB, email_verified: claim })).status).toBe(401)
    }
    expect((await signInAs(createBrowser(), unconfirmed)).status).toBe(200)
  })
})

describe('an account with a password', () => {
  const OWNER = { sub: 'p-ada', email: ADMIN.email, email_verified: true }

  test('is not linked to an identity only because the addresses are the same', async () => {
    const { createBrowser, signInAs, database } = await openSingleSignOn()
    const refusal = await readProblem(await signInAs(createBrowser(), OWNER))
    expect(refusal.detail).toMatch(/Sign in to it by password, then link it in Settings, Profile/)
    expect((await database.query('select from session')).rowCount).toBe(0)
    expect((await database.query('select from account where oidc_subject is not null')).rowCount).toBe(0)
  })

  test('links and unlinks an identity with any address for its signed-in user', async () => {
    const bff = await openSingleSignOn()
    const { ask, signIn, linkAs, signInAs, createBrowser, readAudit } = bff
    await signIn()
    const answer = await linkAs(bff, BOB)
    expect(await answer.json()).toMatchObject({
      user: { email: ADMIN.email },
      redirect: '/settings?tab=profile',
    })
    const browser = createBrowser()
    expect(await readUser(await signInAs(browser, BOB))).toMatchObject({ email: ADMIN.email, role: 'admin' })
    expect(await readAudit('sso-linked')).toMatchObject([
      { objectName: ADMIN.email, after: expect.stringMatching('"p-bob"') },
    ])

    expect((await ask('/bff/profile/sso', { method: 'DELETE' })).status).toBe(204)
    expect(await browser.readSession()).toBeNull()
    expect(await bff.readSession()).not.toBeNull()
    expect(await readAudit('sso-unlinked')).toHaveLength(1)
    expect((await readUser(await signInAs(createBrowser(), BOB))).email).toBe(BOB.email)
  })

  test('is not linked by another session than the one that began, nor after it has ended', async () => {
    const bff = await openSingleSignOn()
    const { signIn, provider, signInAs, createBrowser, database } = bff
    await signIn()
    const { url } = await (await bff.ask('/bff/profile/sso', { method: 'POST' })).json()
    const back = await provider.createBrowser().visit(url)
    const body = Object.fromEntries(back.searchParams)
    const flow = bff.cookies.get('lantern_sso') ?? ''

    const thief = createBrowser()
    await signInAs(thief, EVE)
    thief.cookies.set('lantern_sso', flow)
    expect((await readProblem(await thief.ask('/bff/sign-in/sso/finish', { body }))).detail).toMatch(
      'session that has ended',
    )
    await bff.ask('/bff/sign-out', { body: {} })
    bff.cookies.set('lantern_sso', flow)
    expect((await bff.ask('/bff/sign-in/sso/finish', { body })).status).toBe(401)
    expect((await database.query(`select from account where oidc_subject = 'p-bob'`)).rowCount).toBe(0)
  })

  test('is not linked to an identity that has an account, nor to two', async () => {
    const bff = await openSingleSignOn()
    const { signIn, linkAs, signInAs, createBrowser } = bff
    await signInAs(createBrowser(), BOB)
    await signIn()
    expect((await readProblem(await linkAs(bff, BOB))).detail).toMatch(
      'somebody who has another account here',
    )
    expect((await linkAs(bff, EVE)).status).toBe(200)
    expect((await readProblem(await linkAs(bff, { ...EVE, sub: 'p-else' }))).detail).toMatch(
      'Unlink it first',
    )
  })

  test('is linked only to an identity that the sign-in rules admit', async () => {
    const bff = await openSingleSignOn({ rules: { allowedDomains: ['corp.example'], roles: ROLES } })
    await bff.signIn()
    expect((await bff.linkAs(bff, { ...EVE, email: 'eve@evil.example' })).status).toBe(401)
    expect((await bff.linkAs(bff, { ...EVE, groups: [] })).status).toBe(401)
    expect((await bff.linkAs(bff, EVE)).status).toBe(200)
  })

  test('keeps its only sign-in method', async () => {
    const { createBrowser, signInAs } = await openSingleSignOn()
    const browser = createBrowser()
    await signInAs(browser, BOB)
    const refusal = await readProblem(await browser.ask('/bff/profile/sso', { method: 'DELETE' }))
    expect(refusal).toMatchObject({
      status: 409,
      detail: 'Single sign-on is the only way into this account.',
    })
  })
})
