import { expect, test } from 'vitest'
import type { AuditRecord } from '#bff/accounts/audit/record-audit.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import { mirrorAudit, recordAudit } from './record-audit.ts'

const EVENT: AuditRecord = {
  actor: null,
  action: 'key-replaced',
  route: 'PUT /bff/keys/:set',
  object: 'v1',
  objectName: 'a\u202eb\u2028c',
  after: { lastFour: 'abcd', apiKey: 'hunter2' },
  address: '192.0.2.1',
  requestId: 'r-1',
}

test('each record is a line of JSON once it is committed', async () => {
  const database = await takeDatabase('bff')
  const lines: string[] = []
  const upstream = { url: 'http://127.0.0.1:1', kind: 'vendor' } as const
  const { ask, close } = await startSignedIn(database, {
    upstream,
    writeAuditLine: (line) => lines.push(line),
  })
  const name = 'Ada "x"'
  await ask('/bff/profile', { method: 'PUT', body: { name } })
  await ask('/bff/sign-in', { body: { email: 'ada@lantern.example', password: 'not the right one' } })
  await close()

  const { rows } = await database.query('select id, action, request_id from audit_event order by id')
  const records = lines.map((line) => JSON.parse(line))
  expect(records.map(({ id, action, requestId }) => ({ id, action, request_id: requestId }))).toEqual(rows)
  expect(records.map(({ action }) => action)).toContain('sign-in-failed')
  const renamed = records.find(({ action }) => action === 'profile-changed')
  expect(renamed).toMatchObject({
    level: 'info',
    event: 'audit',
    after: { name },
    address: expect.any(String),
  })
})

test(
  'a rollback writes no line, a repeated transaction one, and none contains control characters',
  withDatabase('bff', async (database) => {
    const lines: string[] = []
    const mirrored = mirrorAudit(database, (line) => lines.push(line))
    const broken = mirrored.transaction(async (tx) => {
      await recordAudit(tx, EVENT)
      throw new Error('Changed my mind')
    })
    await expect(broken).rejects.toThrow('Changed my mind')
    expect(lines).toEqual([])

    let runs = 0
    await mirrored.transaction((tx) =>
      tx.transaction(async (inner) => {
        runs += 1
        await recordAudit(inner, EVENT)
        if (runs === 1) await inner.query(`do $$ begin raise exception using errcode = '40001'; end $$`)
        expect(lines).toEqual([])
      }),
    )
    expect(runs).toBe(2)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ objectName: EVENT.objectName, after: { lastFour: 'abcd', apiKey: '•••' } }),
    ])
    expect(lines.join('')).not.toMatch(/[\u202e\u2028\n]/)
    await recordAudit(mirrored, EVENT)
    expect(lines).toHaveLength(2)
  }),
)
