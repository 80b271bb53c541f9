import { expect, test } from 'vitest'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { enrolTotp } from '#test/support/enrol-totp.ts'
import { runCommand } from '#test/support/run-command.ts'
import { databaseUrl, urlOf, withDatabase } from '#test/support/with-database.ts'

test(
  'prints a link that lets an admin in, and nothing else, and is in the record',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database)
    const url = await urlOf(database)

    const { code, stdout, stderr } = await runBreakGlass([ADMIN.email], url)
    expect(stderr).toMatch('within 15 minutes')
    expect(code).toBe(0)
    const [, token] = /^http:\/\/localhost:4173\/sign-in#link=([\w-]{43})\n$/.exec(stdout) ?? []
    const recorded = await database.query(
      'select action, object_name as "objectName", address from audit_event',
    )
    expect(recorded.rows).toEqual([
      { action: 'break-glass-link-created', objectName: ADMIN.email, address: expect.stringMatching(/.@./) },
    ])
    const peerAddress = '203.0.113.7'
    expect((await ask('/bff/sign-in/link', { body: { token }, peerAddress })).status).toBe(200)

    const refused = await runBreakGlass(['nobody@example.com'], url)
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `No admin has the address nobody@example.com. Admins: ${ADMIN.email}\n`,
    })
  }),
)

test(
  'removes the second factors of an admin who has lost them, and ends their sessions',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    await enrolTotp(bff)
    const url = await urlOf(database)

    const { code, stdout, stderr } = await runBreakGlass([ADMIN.email, '--reset-factors'], url)
    expect(stderr).toMatch('has no second factor now')
    expect(code).toBe(0)
    expect((await database.query('select from session')).rowCount).toBe(0)
    expect((await database.query('select from totp_factor')).rowCount).toBe(0)
    const recorded = await database.query('select action from audit_event order by id desc limit 1')
    expect(recorded.rows).toEqual([{ action: 'user-factors-reset' }])
    const browser = bff.createBrowser()
    const token = stdout.trim().split('#link=')[1]
    expect((await browser.ask('/bff/sign-in/link', { body: { token } })).status).toBe(200)
    expect(
      (await browser.ask('/bff/users', { body: { email: 'bob@x.example', role: 'admin' } })).status,
    ).toBe(201)
  }),
)

test.each([[[]], [['ada']], [['a@b.example', 'c@d.example']]])(
  'shows how it is used for %j',
  async (args) => {
    const { code, stdout, stderr } = await runBreakGlass(args, databaseUrl('nowhere'))
    expect(stderr).toMatch(
      /^Name one email address: that of an admin\.\n\nUsage: npm run -s break-glass -- EMAIL/,
    )
    expect(stdout).toBe('')
    expect(code).toBe(2)
  },
)

test('says in one line that there is no such database', async () => {
  const { code, stderr } = await runBreakGlass([ADMIN.email], databaseUrl('nowhere'))
  expect(stderr).toMatch(/^The dashboard's database cannot be opened: .* has no database nowhere: .*\n$/)
  expect(code).toBe(1)
})

function runBreakGlass(args: string[], url: string) {
  return runCommand('break-glass', args, { DATABASE_URL: url })
}
