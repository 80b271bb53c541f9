import { expect, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import { ADMIN, createTestBff } from '../../../test/support/ask-bff.ts'
import { withDatabase } from '../../../test/support/with-database.ts'

test(
  'signs in with e-mail and password, whatever the letter case of the e-mail',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)

    const response = await signIn({ ...ADMIN, email: 'ADA@example.com' })

    const session = sessionSchema.parse(await response.json())
    expect(session.user).toMatchObject({ email: ADMIN.email, name: 'ada', role: 'admin' })
    expect(await (await ask('/bff/session')).json()).toEqual(session)
  }),
)

test(
  'a wrong password and an unknown account get the same answer',
  withDatabase('bff', async (database) => {
    const { signIn } = await createTestBff(database)

    const answers = await Promise.all(
      [
        { ...ADMIN, password: 'wrong' },
        { email: 'nobody@example.com', password: 'wrong' },
      ].map(signIn),
    )

    const problems = await Promise.all(
      answers.map(async (answer) => problemSchema.parse(await answer.json())),
    )
    const [known, unknown] = problems.map(({ requestId, ...problem }) => problem)
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 401, code: 'sign_in_failed' })
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([])
  }),
)
