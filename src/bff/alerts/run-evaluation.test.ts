import { expect, test } from 'vitest'
import { alertHealthSchema } from '#contract/bff/alert-health.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('matches that cannot be written delay no evaluation or weekly test, and are sent later', async () => {
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

test('a profile whose matches cannot be written is reported, delays no other, and catches up', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, publish, logged } = await startProfiles(database, { sending: 0 })
  const { profile: well } = await create(undefined, { name: 'Well' })
  const { profile: broken } = await create(undefined, { name: 'Broken' })
  await database.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.profile_id = '${broken.id}' then raise exception 'a fault'; end if; return new; end $$`)
  await database.query(
    'create trigger refuse before insert on alert_match for each row execute function refuse()',
  )
  await publish({ id: 'one' })
  await publish({ id: 'two' })
  const matched = async (profileId: string) => {
    const { rows } = await database.query(
      'select threat_id as id from alert_match where profile_id = $1 order by 1',
      [profileId],
    )
    return rows.map((row) => Object(row).id)
  }
  expect(await matched(well.id)).toEqual(['one', 'two'])
  expect(logged.filter((line) => line.includes('alert-profile-not-evaluated'))).toHaveLength(1)
  await database.query(`update alert_evaluation set stopped_since = now() - interval '2 min'
    where stopped_at is not null`)
  const { problems } = alertHealthSchema.parse(await (await ask('/bff/alerts/health')).json())
  expect(problems).toMatchObject([
    {
      kind: 'notEvaluated',
      subject: expect.stringContaining('Broken'),
      text: expect.stringMatching(/Its log/),
    },
  ])

  await database.query('drop trigger refuse on alert_match')
  await expect.poll(() => matched(broken.id), { timeout: 10_000 }).toEqual(['one', 'two'])
  const { rows } = await database.query('select from alert_evaluation where stopped_at is not null')
  expect(rows).toEqual([])
})
