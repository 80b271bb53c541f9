import { expect, test } from 'vitest'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierList, earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'

const LIST = '/api/v1/threats'

/** Nothing is stored: the vendor is asked. */
async function start() {
  const standIn = await startStandInUpstream()
  standIn.play(LIST, { json: v1List([v1Record()]) })
  standIn.play('/api/feed', { json: earlierList([earlierRecord()]) })
  const { ask } = await createTestData({ upstream: { url: standIn.url } })
  const list = async (query: string) =>
    threatListSchema.parse(await (await ask(`/bff/threats${query}`)).json())
  const refuse = async (query: string) => readProblem(await ask(`/bff/threats${query}`))
  const calls = () => standIn.calls.map(({ path, query }) => ({ path, query }))
  return { standIn, list, refuse, calls }
}

test('filters the vendor’s pages by what its list says, and counts what it does not say', async () => {
  const { standIn, list, calls } = await start()
  const some = [
    { id: 'has' },
    { id: 'lacks', ai_analysis: '' },
    { id: 'withheld', ai_analysis: '[redacted]' },
    { id: 'other', title: 'Other', summary: '', ai_analysis: '[redacted]', victims: undefined },
  ]
  const records = some.map((one) => v1Record(one))
  standIn.play(LIST, { json: v1List(records) })
  const ids = async (q: string) => {
    const { threats, undecided, filteredHere } = await list(`?q=${encodeURIComponent(q)}`)
    return [threats.map(({ id }) => id).join(' '), undecided, filteredHere]
  }
  expect(await ids('has:analysis')).toEqual(['has', 2, 'with an analysis'])
  expect(await ids('-has:analysis')).toEqual(['lacks', 2, 'not with an analysis'])
  // The other set would search for the word, and says nothing of analyses.
  expect(await ids('northwind has:analysis')).toEqual(['has', 1, 'northwind and with an analysis'])
  expect(await ids('northwind OR -has:analysis')).toEqual([
    'has lacks withheld',
    1,
    '(northwind or not with an analysis)',
  ])
  expect(calls().map(({ path }) => path)).toEqual([LIST])
})

test('refuses what the vendor’s lists say of nothing', async () => {
  const { refuse } = await start()
  expect(await refuse('?q=acme%20-has:evidence')).toMatchObject({
    status: 400,
    code: 'bad_request',
    fields: [{ name: 'q', from: 10, to: 18, reason: expect.stringMatching(/lists read so far do not say/) }],
  })
  expect(await refuse('?q=has:analysis&set=earlier')).toMatchObject({ status: 400 })
})
