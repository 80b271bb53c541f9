import { expect, test } from 'vitest'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { startFilled } from './support/store/start-filled.ts'
import { v1Record } from './support/upstream-records.ts'
import { styles } from './support/vendor-shapes/shapes.ts'
import { withDatabase } from './support/with-database.ts'

const UTC = 'timeZone=UTC'

const NONE = [
  '0000-00-00',
  '2026-13-01',
  'month 13',
  '',
  null,
  0,
  '2026-02-30T00:00:00Z',
  'yesterday',
] as const

/** Records under one spelling of their names; the second of each pair is how its date is written. */
function shape(style: (words: string) => string, dated: readonly (readonly [string, unknown])[]) {
  const spell = (name: string) => style(name.replaceAll('_', ' '))
  return dated.map(([id, published_at]) => {
    const record = { ...v1Record({ id, title: id, risk_level: 'critical' }), published_at }
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [spell(name), value]))
  })
}

function start(database: OpenDatabase, records: unknown[]) {
  return startFilled(database, { records: [], answer: records })
}

for (const [spelling, style] of Object.entries(styles)) {
  test(
    `reads a date in any format, and treats other texts as undated: ${spelling}`,
    withDatabase('bff', async (database) => {
      const now = Date.now()
      const seconds = Math.floor(now / 1000) - 3600
      const read: [string, unknown][] = [
        ['iso', new Date(now - HOUR_MS).toISOString()],
        ['seconds', seconds],
        ['milliseconds', seconds * 1000],
        ['seconds as text', String(seconds)],
        ['milliseconds as text', String(seconds * 1000)],
        ['mail', new Date(seconds * 1000).toUTCString()],
      ]
      const future: [string, unknown][] = [['future', new Date(now + 100 * DAY_MS).toISOString()]]
      const none: [string, unknown][] = NONE.map((written, at) => [`none ${at}`, written])
      const { list, ask, close } = await start(database, shape(style, [...future, ...none, ...read]))
      try {
        const all = await list(`?${UTC}`)
        const ids = all.threats.map(({ id }) => id)
        // The total has all of them; those without a date come last, however the vendor lists them.
        expect(all).toMatchObject({ total: read.length + 1 + none.length, undated: none.length })
        expect(ids[0]).toBe('future')
        expect(ids.slice(-none.length).toSorted()).toEqual(none.map(([id]) => id))
        const dateTexts = new Map(all.threats.map(({ id, dateText }) => [id, dateText]))
        expect(NONE.map((_, at) => dateTexts.get(`none ${at}`))).toEqual(
          NONE.map((written) => (written === '' || written === null ? undefined : String(written))),
        )

        const since = new Date(now - DAY_MS).toISOString()
        for (const query of [`within=30d`, `since=${since}`, `from=2020-01-01`, `to=2099-01-01`]) {
          const { threats } = await list(`?${UTC}&${query}`)
          const listed = threats.map(({ id }) => id).filter((id) => id !== 'future')
          expect(listed.toSorted(), query).toEqual(read.map(([id]) => id).toSorted())
        }
        const undated = await list(`?${UTC}&within=undated`)
        expect(undated.threats.map(({ id }) => id).toSorted()).toEqual(none.map(([id]) => id))
        // Neither side of a moment holds them: to name one as well must not bring more than it alone does.
        for (const moment of [`since=${since}`, `until=${since}`])
          expect((await list(`?${UTC}&within=undated&${moment}`)).total, moment).toBe(0)

        const overview = await (await ask(`/bff/overview?${UTC}`)).json()
        expect(overview.day.count).toBe(read.length)
        const critical = threatListSchema.shape.threats.parse(overview.newestCritical)
        expect(critical.map(({ id }) => id).toSorted()).toEqual(read.map(([id]) => id).toSorted())
        const { trend } = trendAnswerSchema.parse(await (await ask(`/bff/trends?${UTC}`)).json())
        expect(trend.total).toBe(read.length)
        const { actors } = await (await ask(`/bff/actors?${UTC}`)).json()
        expect(actors).toMatchObject([{ name: 'Ashfall', mentions: read.length }])
        expect(Date.parse(actors[0].latestObservedAt)).toBeLessThanOrEqual(now)
      } finally {
        await close()
      }
    }),
  )
}

test(
  'a list of nothing but undated records says that nothing of it is of today',
  withDatabase('bff', async (database) => {
    const { list, ask, close } = await start(database, shape(styles.snake, [['a', null]]))
    try {
      expect(await list(`?${UTC}`)).toMatchObject({ total: 1, undated: 1, threats: [{ publishedAt: null }] })
      const { actors } = await (await ask(`/bff/actors?${UTC}`)).json()
      expect(actors).toMatchObject([
        { name: 'Ashfall', mentions: 0, firstObservedAt: null, latestObservedAt: null },
      ])
    } finally {
      await close()
    }
  }),
)
