import { expect, test } from 'vitest'
import { migrate, migrateLike } from '#database/migrate.ts'
import { listDeliveries } from '#delivery/ledger.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { findProfile } from './profile-queries.ts'
import { readRecipients } from './recipient-queries.ts'
import { fingerprintOf, openRecipient, sealRecipient } from './recipient-seals.ts'

const FOLDERS = [
  new URL('../migrations/', import.meta.url),
  new URL('../../delivery/migrations/', import.meta.url),
]
const SECRET = 'secret-of-the-tests'
const HOOK = 'https://hooks.slack.com/services/T0/B0/abcd'
const anId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const [OWNER, VIEW, WATCH, SENT, QUEUED] = [1, 2, 3, 4, 5].map(anId)

test('migrates a watch to a profile, with its recipients and messages', async () => {
  const database = await takeDatabase('empty')
  const versions = Array.from({ length: 81 }, (_, at) => at + 1)
  await database.transaction((tx) => migrateLike(tx, FOLDERS, versions))
  const { fingerprint, sealed } = sealRecipient(SECRET, 'slack', HOOK)
  const run = (sql: string, ...values: unknown[]) => database.query(sql, values)
  await run(
    `insert into account (id, email, name, role) values ($1, 'ada@example.com', 'Ada', 'analyst')`,
    OWNER,
  )
  await run(
    `insert into saved_view (id, account_id, name, filter, time_zone, is_shared)
     values ($1, $2, 'Germany', '{"country":["DE"],"q":"a\\u0000b"}', 'Europe/Berlin', true)`,
    ...[VIEW, OWNER],
  )
  await run(
    `insert into watch (id, view_id, account_id, state) values ($1, $2, $3, 'paused')`,
    ...[WATCH, VIEW, OWNER],
  )
  await run(
    `insert into watch_recipient (watch_id, position, channel, user_id, fingerprint, sealed, masked)
     values ($1, 0, 'user', $2, null, null, null),
            ($1, 1, 'slack', null, decode($3, 'hex'), decode($4, 'hex'), '…abcd')`,
    ...[WATCH, OWNER, fingerprint, sealed],
  )
  await run(
    `insert into delivery_cause (kind, id, name, state)
     values ('watch', $1, 'Germany', 'paused'), ('profile', 'p1', 'Clinics', 'active')`,
    WATCH,
  )
  await run(
    `insert into delivery_destination (id, channel, fingerprint, sealed, masked)
     values ($1, 'slack', decode($2, 'hex'), '', '…abcd')`,
    ...[anId(9), fingerprint],
  )
  await run(
    `insert into delivery (id, destination_id, kind, content, state, next_attempt_at, created_at, touched_at)
     values ($1, $3, 'matches', null, 'sent', null, now(), now()), ($2, $3, 'test', $4, 'queued', now(), now(), now())`,
    ...[SENT, QUEUED, anId(9)],
    JSON.stringify({
      causes: [{ kind: 'watch', id: WATCH, name: 'Germany' }],
      requestedBy: 'Ada',
      link: '/',
    }),
  )
  await run(
    `insert into delivery_match (event, cause_kind, cause_id, destination_id, threat_id, threat, delivery_id, matched_at)
     select 'threat a', kind, id, $1::uuid, 'a', '{"title":"A"}'::jsonb, $2::uuid, now() from delivery_cause
     union all select 'threat b', 'watch', $3, $1::uuid, 'b', '{"title":"B"}'::jsonb, null, now()`,
    ...[anId(9), SENT, WATCH],
  )

  await migrate(database, FOLDERS)

  expect(await findProfile(database, WATCH ?? '', OWNER ?? '')).toMatchObject({
    name: 'Germany',
    filter: { country: ['DE'], q: 'a\0b' },
    timeZone: 'Europe/Berlin',
    isShared: true,
    state: 'paused',
    owner: { name: 'Ada', isMe: true },
  })
  const [user, slack] = await readRecipients(database, WATCH ?? '')
  expect(user).toMatchObject({ channel: 'user', userId: OWNER })
  expect(openRecipient(SECRET, 'slack', { fingerprint, sealed: slack?.sealed ?? '' })).toBe(HOOK)
  expect(slack?.fingerprint).toBe(fingerprintOf(SECRET, 'slack', HOOK))
  expect((await run('select from saved_view')).rowCount).toBe(1)

  const causesOf = async (profileIds?: string[]) =>
    (await listDeliveries(database, { limit: 9, profileIds })).items
      .map(({ id, causes }) => [id, causes.map(({ name }) => name).sort()])
      .sort()
  expect(await causesOf()).toEqual([
    [SENT, ['Clinics', 'Germany']],
    [QUEUED, ['Germany']],
  ])
  expect(await causesOf([])).toEqual([[SENT, ['Clinics']]])
  const { rows } = await run('select id, state, is_team as "isTeam" from delivery_cause order by name')
  expect(rows).toEqual([
    { id: 'p1', state: 'active', isTeam: true },
    { id: WATCH, state: 'paused', isTeam: false },
  ])
  expect((await run('select from delivery_match where cause_id = $1', WATCH)).rowCount).toBe(2)
})
