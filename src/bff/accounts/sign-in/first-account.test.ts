import { expect, test } from 'vitest'
import { createTestBff } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { ensureFirstAccount } from './first-account.ts'

const HOST = 'lantern.example'

test(
  'an empty installation gets one admin, with a password made up for it',
  withDatabase('bff', async (database) => {
    const accounts = await Promise.all([1, 2, 3].map(() => ensureFirstAccount(database, {}, HOST)))

    const [made, ...others] = accounts.filter((account) => account !== null)
    expect(others).toEqual([])
    expect(made).toMatchObject({ isPasswordGenerated: true, password: expect.stringMatching(/^[\w-]{24}$/) })
    const { signIn } = await createTestBff(database)
    expect((await signIn({ email: made?.email ?? '', password: made?.password ?? '' })).status).toBe(200)
  }),
)

test(
  'an account that exists is left alone',
  withDatabase('bff', async (database) => {
    await ensureFirstAccount(
      database,
      { email: 'Ada@Example.com', password: 'the first of three words' },
      HOST,
    )

    expect(
      await ensureFirstAccount(database, { email: 'ada@example.com', password: 'another one' }, HOST),
    ).toBeNull()

    const { signIn } = await createTestBff(database)
    expect((await signIn({ email: 'ada@example.com', password: 'the first of three words' })).status).toBe(
      200,
    )
    expect((await signIn({ email: 'ada@example.com', password: 'another one' })).status).toBe(401)
  }),
)

test(
  'refuses a first password that is easy to guess, in one line that does not repeat it',
  withDatabase('bff', async (database) => {
    const wanted = { email: 'ada@example.com', password: 'Lantern2026!!' }
    const made = ensureFirstAccount(database, wanted, HOST)
    await expect(made).rejects.toThrow(/^ADMIN_PASSWORD must be another\. Too common/)
    await expect(made).rejects.not.toThrow(/2026/)
    expect((await database.query('select from account')).rowCount).toBe(0)
  }),
)
