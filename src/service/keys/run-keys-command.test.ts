import { expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { createService } from '#service/app.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { isToken } from './key-token.ts'
import { readKeysCommand } from './read-keys-command.ts'
import { runKeysCommand } from './run-keys-command.ts'

function openTerminal(database: Database) {
  const app = createService({ database, secret: 'secret', publicUrl: 'https://service.example' })
  return {
    async run(line: string) {
      const printed: string[] = []
      const notified: string[] = []
      const command = readKeysCommand(line.split(' '))
      if (command.name === 'help') throw new Error('Nothing to run')
      const isDone = await runKeysCommand(database, command, {
        print: (text) => printed.push(text),
        notify: (text) => notified.push(text),
      })
      return { isDone, printed, notified }
    },
    async status(token = '') {
      const answer = await app.request('/api/v1/threats', { headers: { authorization: `Bearer ${token}` } })
      return answer.status
    },
  }
}

test(
  'creates, lists, rotates and revokes a key, and shows its token once',
  withDatabase('service', async (database) => {
    const { run, status } = openTerminal(database)
    expect(await run('list')).toEqual({ isDone: true, printed: [], notified: ['There are no keys yet.'] })

    const created = await run('create --account Acme --name SOC --v1 defend')
    const [token = ''] = created.printed
    expect(isToken(token)).toBe(true)
    expect(await status(token)).toBe(200)

    const [headings, line = ''] = (await run('list')).printed
    expect(headings?.split(/ +/)).toEqual(['ID', 'TEAM', 'NAME', 'EARLIER', 'V1', 'STATUS', 'ENDS', 'TODAY'])
    const [keyId, ...cells] = line.split(/ +/)
    expect(cells).toEqual(['Acme', 'SOC', 'none', 'defend', 'active', '-', '1'])
    expect(created.notified).toEqual([`Made ${keyId}. This is its token, shown only now:`])

    const rotated = await run(`rotate ${keyId} --overlap-hours 2`)
    expect(await status(token)).toBe(200)
    expect(await status(rotated.printed[0])).toBe(200)
    expect((await run('list')).printed.map((row) => row.split(/ +/)[5])).toEqual([
      'STATUS',
      'ending',
      'active',
    ])

    expect((await run(`revoke ${keyId}`)).isDone).toBe(true)
    expect(await status(token)).toBe(401)
    const listed = (await run('list')).printed.join()
    expect(listed).toContain('ended')
    expect(listed).not.toContain(token)
  }),
)

test(
  'overlaps for part of an hour',
  withDatabase('service', async (database) => {
    const { run } = openTerminal(database)
    await run('create --account Acme --name SOC --v1 defend')
    const [keyId] = (await run('list')).printed[1]?.split(/ +/) ?? []
    expect((await run(`rotate ${keyId} --overlap-hours 0.5`)).isDone).toBe(true)
    const { rows } = await database.query(
      'select round(extract(epoch from ends_at - now()) / 60)::int as minutes from api_key where ends_at is not null',
    )
    expect(rows).toEqual([{ minutes: 30 }])
  }),
)

test(
  'says when there is no such key',
  withDatabase('service', async (database) => {
    const { run } = openTerminal(database)
    expect(await run('revoke key_none')).toEqual({
      isDone: false,
      printed: [],
      notified: ['There is no working key key_none.'],
    })
    expect((await run('rotate key_none')).isDone).toBe(false)
  }),
)

test(
  'shows an expired trial as expired',
  withDatabase('service', async (database) => {
    const { run } = openTerminal(database)
    await run('create --account Acme --name SOC --v1 trial')
    await database.query("update api_key set trial_expires_at = now() - interval '1 minute'")
    expect((await run('list')).printed[1]).toMatch(/ trial +expired +\d{4}-\d{2}-\d{2} /)
  }),
)
