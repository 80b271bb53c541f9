import { expect, test } from 'vitest'
import { HOUR_MS } from '#contract/duration.ts'
import { startHistory, V1_FROM_MS } from '#test/support/history/start-history.ts'
import { withDatabase } from '#test/support/with-database.ts'

test(
  'reads the months before the plan of v1, newest first, to the end of what the vendor has',
  withDatabase('bff', async (database) => {
    const { run, vendor, records, storedIds, readHistory, loads } = await startHistory(database)
    await run()
    expect(await loads()).toMatchObject([
      { from: '2026-08-01', to: '2026-08-21', state: 'done' },
      { from: '2026-07-01', to: '2026-08-01', state: 'done' },
      { from: '2026-06-01', to: '2026-07-01', state: 'done' },
      { from: '2026-05-01', to: '2026-06-01', state: 'done', records: 0 },
    ])
    const listed = records.filter(({ atMs }) => atMs >= Date.parse('2026-06-10T00:00:00Z'))
    expect(await storedIds()).toEqual(listed.map(({ id }) => id).toSorted())
    expect(await readHistory()).toMatchObject({
      ranges: [{ from: Date.parse('2026-05-01T00:00:00Z'), to: V1_FROM_MS }],
      oldestFrom: Date.parse('2026-05-01T00:00:00Z'),
    })
    const calls = vendor.feedCalls().length
    await run({ ms: HOUR_MS })
    expect(vendor.feedCalls()).toHaveLength(calls)
  }),
)
