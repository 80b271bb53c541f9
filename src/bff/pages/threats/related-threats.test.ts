import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { relatedThreatsSchema } from '#contract/bff/threat-list.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatDetailRoutes } from './threat-detail-routes.ts'

const NOW = '2026-11-22T08:00:00.000Z'
const OLD = '2026-03-01T08:00:00.000Z'
const other = { actors: ['Someone else'], countries: [], title: 'Other' }
const NORTHWIND = makeThreat('thr_1', NOW, { organizations: ['Northwind Foods'], title: 'Northwind' })

/** The related threats of one, by their ids, where these others are stored. */
function relatedOf(threat: Threat, others: readonly Threat[], run: (groups: string[]) => void) {
  return withDatabase('bff', async (database: OpenDatabase) => {
    const held = await holdThreats(database, { now: NOW, threats: [threat, ...others] })
    const rejectCall = () => Promise.reject(new Error('not asked'))
    const bff = await createTestBff(database, {
      routes: threatDetailRoutes({
        ...held,
        database,
        readThreat: rejectCall,
        source: 'a source',
      }),
    })
    await bff.signIn()
    const answer = await (await bff.ask(`/bff/threats/${threat.id}/related`)).json()
    const { groups } = relatedThreatsSchema.parse(answer)
    run(groups.map(({ relation, value, threats }) => `${relation} ${value}: ${threats.map(({ id }) => id)}`))
  })
}

test(
  'finds who shares an actor, a victim or a country, however old, and not the threat itself',
  relatedOf(
    NORTHWIND,
    [
      makeThreat('twin', NORTHWIND.publishedAt ?? '', { title: NORTHWIND.title }),
      makeThreat('by-actor', OLD, { ...other, actors: ['ÅSHFALL'] }),
      makeThreat('by-victim', OLD, { ...other, organizations: ['NORTHWIND foods'] }),
      makeThreat('by-title', OLD, { ...other, title: 'Again: Northwind Foods' }),
      makeThreat('by-chance', OLD, { ...other, actors: ['Northwind Foods'] }),
      makeThreat('by-country', OLD, { ...other, countries: [{ code: 'DE', name: 'Allemagne' }] }),
    ],
    (groups) =>
      expect(groups).toEqual([
        'actor Ashfall: by-actor',
        'victim Northwind Foods: by-victim,by-title',
        'country DE: by-country',
      ]),
  ),
)

test(
  'gives at most five a group, the newest',
  relatedOf(
    NORTHWIND,
    Array.from({ length: 9 }, (_, at) =>
      makeThreat(`m${at}`, `2026-11-1${at}T08:00:00.000Z`, { title: null }),
    ),
    (groups) => expect(groups[0]).toBe('actor Ashfall: m8,m7,m6,m5,m4'),
  ),
)

test(
  'a threat without values has no groups',
  relatedOf(makeThreat('thr_1', NOW, { actors: [], countries: [] }), [makeThreat('o', OLD)], (groups) =>
    expect(groups).toEqual([]),
  ),
)
