import { expect, test } from 'vitest'
import { insertProfile, NOTHING } from '#bff/notify/profile-queries.ts'
import { readShift } from '#bff/store/read-shift.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { Report } from '#delivery/message.ts'
import { describeReport } from '#delivery/messages/describe-digest.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { createDigestProcess } from '#test/support/profiles/create-digest-process.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

const MAIL = {
  server: { host: '127.0.0.1', port: 9, tls: 'none', credentials: null },
  from: { name: 'Lantern', address: 'lantern@example.com' },
} as const
const FIRST_DUE = '2026-03-30T08:00:00.000Z'

/** Ada gets Shift at 08:00 UTC. `digest` writes the one of a time, of claims that were read up to another. */
async function startClaims(database: OpenDatabase) {
  await createTestBff(database, { routes: [] })
  const { rows } = await database.query('select id from account where email = $1', [ADMIN.email])
  const adaId = String(Object(rows[0]).id)
  const draft = { name: 'Handover', filter: NOTHING, timeZone: 'UTC', isShared: false, isShift: true }
  const id = await insertProfile(
    database,
    adaId,
    { ...draft, schedule: { kind: 'daily', hour: 8 }, recipients: [] },
    { maxCount: 1, nowMs: Date.parse(FIRST_DUE) - DAY_MS / 2 },
  )
  await database.query(
    `insert into alert_recipient (profile_id, position, channel, user_id) values ($1, 0, 'user', $2)`,
    [id, adaId],
  )
  return {
    async digest(now: string, readUpTo: string, claims: Record<string, string>): Promise<Report> {
      const threats = Object.entries(claims).map(([name, at]) => makeThreat(name, at, { title: name }))
      const { store, clock } = await holdThreats(database, { now: readUpTo, threats })
      const start = createDigestProcess({
        database,
        mail: MAIL,
        readNow: async () => new Date(now),
        readShift: (scope) => readShift({ database, store, clock }, scope),
      })
      await start().compose()
      const { rows } = await database.query(
        `select content -> 'report' as report from delivery where kind = 'digest' order by created_at desc limit 1`,
      )
      return Object(rows[0]).report
    },
  }
}

function withClaims(run: (started: Awaited<ReturnType<typeof startClaims>>) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await startClaims(database)))
}

function claimsOf({ parts }: Report): string[] {
  const part = parts.find(({ title }) => title === 'Cases with new claims')
  return part?.lines.map(({ title }) => title) ?? []
}

test(
  'the next digest contains claims of a vendor outage, and no claim is in two digests',
  withClaims(async ({ digest }) => {
    const known = { before: '2026-03-29T07:59:00.000Z', early: '2026-03-30T02:00:00.000Z' }
    const first = await digest('2026-03-30T08:15:00Z', '2026-03-30T03:00:00.000Z', known)
    expect(claimsOf(first)).toEqual(['early'])
    expect(describeReport(first, 1_000).paragraphs.at(-1)).toBe(
      'The vendor could last be read on Mon 30 Mar, 03:00. New claims are those published from Sun 29 Mar, 08:00 ' +
        'to Mon 30 Mar, 03:00 (UTC). Later ones are in the next digest.',
    )
    const later = { ...known, outage: '2026-03-30T05:00:00.000Z', due: '2026-03-31T08:00:00.000Z' }
    const second = await digest('2026-03-31T08:00:01Z', '2026-03-31T08:00:01.000Z', later)
    expect(claimsOf(second)).toEqual(['outage'])
    expect(describeReport(second, 1_000).paragraphs.at(-1)).toContain(
      'New claims are those published from Mon 30 Mar, 03:00 to Tue 31 Mar, 08:00 (UTC).',
    )

    // Nothing more was read for a day.
    const third = await digest('2026-04-01T08:15:00Z', '2026-03-31T08:00:01.000Z', later)
    expect(claimsOf(third)).toEqual(['due'])
    const fourth = await digest('2026-04-02T08:15:00Z', '2026-03-31T08:00:01.000Z', later)
    expect(claimsOf(fourth)).toEqual([])
    expect(describeReport(fourth, 1_000).paragraphs.at(-1)).toContain(
      'Claims published from Tue 31 Mar, 08:00 on are in the next digest.',
    )
  }),
)

test(
  'where claims have a date and no time of day, each is in the digest after its day',
  withClaims(async ({ digest }) => {
    const dated = (name: string, day: string) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${name} ${at}`, `${day}T00:00:00.000Z`]))
    const known = { ...dated('Sunday', '2026-03-29'), ...dated('Monday', '2026-03-30') }
    const first = await digest('2026-03-30T08:00:01Z', '2026-03-30T08:00:01.000Z', known)
    expect(claimsOf(first).toSorted()).toEqual(Object.keys(dated('Sunday', '2026-03-29')))
    const second = await digest('2026-03-31T08:00:01Z', '2026-03-31T08:00:01.000Z', {
      ...known,
      'Monday evening': '2026-03-30T00:00:00.000Z',
    })
    expect(second.sum).toBe('11 cases with new claims')
    expect(describeReport(second, 1_000).paragraphs.at(-1)).toContain(
      'New claims are those published from Mon 30 Mar, 00:00 to Tue 31 Mar, 00:00 (UTC).',
    )
  }),
)
