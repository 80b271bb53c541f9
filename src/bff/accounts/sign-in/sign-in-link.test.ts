import { expect, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createSignInLink } from './sign-in-link.ts'

async function createToken(database: Database): Promise<string> {
  const link = new URL((await createSignInLink(database, 'http://localhost:4173')) ?? '')
  expect(link.pathname).toBe('/sign-in')
  return link.hash.replace('#link=', '')
}

test(
  'signs the first admin in, once',
  withDatabase('bff', async (database) => {
    const { ask, createBrowser, readSession } = await createTestBff(database)
    const body = { token: await createToken(database) }

    const first = await ask('/bff/sign-in/link', { body })
    const second = await createBrowser().ask('/bff/sign-in/link', { body })

    expect(sessionSchema.parse(await first.json()).user.email).toBe(ADMIN.email)
    expect(await readSession()).not.toBeNull()
    expect(problemSchema.parse(await second.json())).toMatchObject({ status: 401, code: 'sign_in_failed' })
  }),
)

test(
  'only one of several browsers that open it together is signed in',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await createTestBff(database)
    const body = { token: await createToken(database) }

    const answers = await Promise.all([1, 2, 3].map(() => createBrowser().ask('/bff/sign-in/link', { body })))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  }),
)

test(
  'works for ten minutes',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database)
    const body = { token: await createToken(database) }
    const { rows } = await database.query(
      `select round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_link`,
    )
    expect(rows).toEqual([{ minutes: 10 }])

    await database.query('update sign_in_link set expires_at = now()')
    expect((await ask('/bff/sign-in/link', { body })).status).toBe(401)
  }),
)

test(
  'is taken only from this machine, whatever headers say, and stays good for it',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await createTestBff(database)
    const body = { token: await createToken(database) }
    const headers = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' }

    for (const peerAddress of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '']) {
      expect((await createBrowser(peerAddress).ask('/bff/sign-in/link', { body, headers })).status).toBe(401)
    }
    expect((await createBrowser('::ffff:127.0.0.1').ask('/bff/sign-in/link', { body })).status).toBe(200)
  }),
)

test(
  'is not taken where PUBLIC_URL is another machine, as behind a proxy on this one',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database, { publicUrl: 'https://lantern.example' })

    expect((await ask('/bff/sign-in/link', { body: { token: await createToken(database) } })).status).toBe(
      401,
    )
  }),
)

test(
  'keeps only a hash of the token',
  withDatabase('bff', async (database) => {
    await createTestBff(database)
    const token = await createToken(database)

    const { rows } = await database.query('select to_jsonb(sign_in_link) as link from sign_in_link')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
  }),
)
