import { expect, test } from 'vitest'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('matches that cannot be written hold up no evaluation and no weekly test, and go once they can be', async () => {
  const database = await takeDatabase('bff')
  const { create, publish, logged } = await startProfiles(database, { sending: 0 })
  const { profile } = await create(undefined, { name: 'Spoilt' })
  await database.query(
    `insert into alert_match (profile_id, threat_id, is_critical, state, threat)
     values ($1, 'spoilt', false, 'waiting', '{}')`,
    [profile.id],
  )
  const count = async (sql: string) => (await database.query(sql)).rowCount
  await expect.poll(() => count('select from alert_fault'), { timeout: 10_000 }).toBe(1)

  await database.query('update alert_profile set proof_due = now()')
  await expect.poll(() => count(`select from delivery where kind = 'test'`), { timeout: 10_000 }).toBe(1)
  await publish({ id: 'one' })
  expect(await count(`select from delivery_match where threat_id = 'one'`)).toBe(1)
  expect(logged.filter((line) => line.includes('alert-profile-not-sent'))).toHaveLength(1)

  await database.query(
    `update alert_match set threat = (select threat from delivery_match where threat_id = 'one') where threat_id = 'spoilt'`,
  )
  await expect.poll(() => count('select from alert_fault'), { timeout: 10_000 }).toBe(0)
  expect(await count(`select from alert_match where state = 'waiting'`)).toBe(0)
  expect(await count(`select from delivery_match where event = 'threat:spoilt'`)).toBe(1)
})
