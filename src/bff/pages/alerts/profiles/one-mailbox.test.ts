import { expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { storeSpelling } from '#test/support/delivery/store-spelling.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'secret-of-the-tests'
const address = (text: string) => ({ channel: 'email', address: text }) as const

async function startMailing() {
  const database = await takeDatabase('bff')
  const { mail, mails } = await startMailServer()
  const started = await startProfiles(database, { mail })
  const count = async (sql: string) => (await database.query(sql)).rowCount
  return {
    ...started,
    database,
    mails,
    count,
    /** Publishes a threat, and returns how many mails it brought until none waits. */
    async countMails(id: string): Promise<number> {
      const before = mails.length
      await database.query('update delivery_destination set gathers_until = null, free_at = null')
      await started.publish({ id })
      const unsent = `select from delivery_match left join delivery on delivery.id = delivery_id
                       where threat_id = '${id}' and state is distinct from 'sent'`
      await expect
        .poll(() => count(`select from delivery_match where threat_id = '${id}'`))
        .toBeGreaterThan(0)
      await expect.poll(() => count(unsent)).toBe(0)
      return mails.length - before
    },
  }
}

async function storeProven(database: Database, id: string, destination: string): Promise<string> {
  const fingerprint = await storeSpelling(database, id, { channel: 'email', destination }, SECRET)
  await database.query('update delivery_destination set proven_at = now() where id = $1', [id])
  return fingerprint
}

test('a mailbox gets one mail, in any letter case and from any profiles', async () => {
  const { ask, create, countMails, mails, count, database } = await startMailing()
  const { rows } = await database.query('select id from account where email = $1', [ADMIN.email])
  const userId = String(Object(rows[0]).id)
  await create([
    address('Soc@corp.example'),
    address('soc@CORP.example'),
    { channel: 'user', userId },
    address(ADMIN.email.toUpperCase()),
  ])
  await create([address('SOC@corp.example')], { name: 'Another' })
  expect(await countMails('one')).toBe(2)
  const to = mails.flatMap((mail) => mail.to).map((one) => one.toLowerCase())
  expect(to.toSorted()).toEqual([ADMIN.email, 'soc@corp.example'].toSorted())
  expect(await count('select from delivery_destination')).toBe(2)
  const { deliveries } = await (await ask('/bff/deliveries')).json()
  expect(deliveries.map(({ causes }: { causes: unknown[] }) => causes.length).toSorted()).toEqual([1, 2])
})

test('spellings that an earlier version stored apart keep their rows, and get one mail', async () => {
  const { create, countMails, mails, listed, count, database } = await startMailing()
  const kept = [
    await storeProven(database, '11111111-1111-4111-8111-111111111111', 'Soc@corp.example'),
    await storeProven(database, '22222222-2222-4222-8222-222222222222', 'soc@CORP.example'),
    await storeProven(database, '33333333-3333-4333-8333-333333333333', 'Duty@corp.example'),
  ]
  await create([address('soc@CORP.example')])
  await create([address('Soc@corp.example'), address('duty@corp.example')], { name: 'Another' })
  expect(await countMails('one')).toBe(2)
  expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(['Duty@corp.example', 'Soc@corp.example'])
  const { rows } = await database.query(
    `select encode(fingerprint, 'hex') as fingerprint from delivery_destination order by id`,
  )
  expect(rows.map((row) => Object(row).fingerprint)).toEqual(kept)
  const provenAt = (await listed()).flatMap(({ recipients }) =>
    recipients.map(({ health }) => health?.provenAt),
  )
  expect(provenAt).toHaveLength(3)
  expect(new Set(provenAt).size).toBe(2)
  expect(provenAt).not.toContain(null)
  expect(await count('select from delivery')).toBe(2)
})
