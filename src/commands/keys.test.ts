import { expect, test } from 'vitest'
import { isToken } from '#service/keys/key-token.ts'
import { runCommand } from '#test/support/run-command.ts'
import { databaseUrl, urlOf, withDatabase } from '#test/support/with-database.ts'

test(
  'prints a token that a script can take, and nothing else',
  withDatabase('service', async (database) => {
    const url = await urlOf(database)
    const { code, stdout, stderr } = await runKeys(['create', '--account', 'Acme', '--name', 'SOC'], url)
    expect(stderr).toContain('shown only now')
    expect(isToken(stdout.trimEnd())).toBe(true)
    expect(code).toBe(0)
    expect((await runKeys(['list'], url)).stdout).toContain('Acme')
    expect((await runKeys(['revoke', 'key_none'], url)).code).toBe(1)
  }),
)

test('shows how it is used when it does not understand', async () => {
  const { code, stdout, stderr } = await runKeys(['frobnicate'])
  expect(stderr).toMatch(/^There is no command "frobnicate"\n\nUsage: npm run -s keys -- COMMAND/)
  expect(stdout).toBe('')
  expect(code).toBe(2)
})

test.each(['127.0.0.1', 'localhost'])('says in one line that nothing listens at %s', async (host) => {
  const { code, stdout, stderr } = await runKeys(['list'], `postgres://keeper:hunter2@${host}:1/lantern`)
  expect(stderr).toMatch(/^The service's database cannot be opened: .*ECONNREFUSED.*\n$/)
  expect(stderr).not.toContain('hunter2')
  expect(stdout).toBe('')
  expect(code).toBe(1)
})

test('says in one line that there is no such database', async () => {
  const { code, stderr } = await runKeys(['list'], databaseUrl('nowhere'))
  expect(stderr).toMatch(/^The service's database cannot be opened: .* has no database nowhere: .*\n$/)
  expect(code).toBe(1)
})

function runKeys(args: string[], url = '') {
  return runCommand('keys', args, { SERVICE_DATABASE_URL: url })
}
