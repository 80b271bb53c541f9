import { expect, test } from 'vitest'
import { type ThreatList, threatListSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierList, earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'

const FEED = '/api/feed'
const LIST = '/api/v1/threats'
const PAGES_MAX = 60

type Moving = { id: string; posted_at: string }

/** A vendor's list by offset that a test can change between pages. */
async function startMovingList(count: number) {
  const standIn = await startStandInUpstream()
  // Ten a second: many records share their time.
  const records: Moving[] = Array.from({ length: count }, (_, index) => ({
    id: `old-${index}`,
    posted_at: new Date(Date.parse('2026-03-10T08:00:00Z') - Math.floor(index / 10) * 1000).toISOString(),
  }))
  standIn.play(FEED, ({ query }) => {
    const offset = Number(query.offset)
    const page = records.slice(offset, offset + Number(query.limit))
    const has_more = offset + page.length < records.length
    return { json: earlierList(page.map(earlierRecord), { total: records.length, has_more }) }
  })
  const { ask } = await createTestData({ upstream: { url: standIn.url } })
  let arrived = 0

  async function page(cursor?: string): Promise<ThreatList> {
    const query = new URLSearchParams({ set: 'earlier', ...(cursor !== undefined && { cursor }) })
    return threatListSchema.parse(await (await ask(`/bff/threats?${query}`)).json())
  }

  return {
    records,
    standIn,
    ask,
    page,
    arrive(howMany: number) {
      for (let left = howMany; left > 0; left -= 1) {
        arrived += 1
        const posted_at = new Date(Date.parse('2026-03-10T09:00:00Z') + arrived * 1000).toISOString()
        records.unshift({ id: `new-${arrived}`, posted_at })
      }
    },
    /** Everything that paging gives, with a change of the list after each page. */
    async readAll(change: (pageNumber: number) => void): Promise<string[]> {
      const seen: string[] = []
      let cursor: string | undefined
      for (let number = 1; number <= PAGES_MAX; number += 1) {
        const { threats, nextCursor } = await page(cursor)
        seen.push(...threats.map(({ id }) => id))
        if (nextCursor === null) return seen
        cursor = nextCursor
        change(number)
      }
      throw new Error('the list has no end')
    },
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => `old-${index}`)

test('pages through a list that rests, a call a page', async () => {
  const { readAll, standIn } = await startMovingList(230)
  expect(await readAll(() => {})).toEqual(range(230))
  expect(standIn.calls).toHaveLength(5)
})

test.each([1, 7, 49, 50, 51, 130])(
  'never repeats or skips while %d records arrive for each page',
  async (count) => {
    const { readAll, arrive } = await startMovingList(230)
    expect(await readAll(() => arrive(count))).toEqual(range(230))
  },
)

test('never skips while records above the place disappear', async () => {
  const { readAll, records } = await startMovingList(230)
  const seen = await readAll(() => records.splice(0, 20))
  expect(seen).toEqual(range(230))
})

test('goes on though the very record of the place is gone', async () => {
  const { readAll, records } = await startMovingList(230)
  const seen = await readAll((number) => {
    if (number === 1)
      records.splice(
        records.findIndex(({ id }) => id === 'old-49'),
        1,
      )
  })
  expect(seen).toEqual(range(230))
})

test('never repeats or skips in lists that move at random', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { readAll, arrive, records } = await startMovingList(180)
    const isFirst = new Set<string>()
    let state = seed
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const seen = await readAll(() => {
      arrive(random(70))
      const gone = records.splice(random(40), random(4))
      for (const { id } of gone) isFirst.add(id)
    })
    expect(new Set(seen).size).toBe(seen.length)
    const kept = range(180).filter((id) => !isFirst.has(id))
    expect(seen.filter((id) => !isFirst.has(id) && id.startsWith('old-'))).toEqual(kept)
  }
})

test('ends a list that promises more for ever and has nothing new', async () => {
  const { standIn, page } = await startMovingList(0)
  standIn.play(FEED, { json: earlierList([earlierRecord()], { total: 9_999, has_more: true }) })
  let last = await page()
  const seen = last.threats.map(({ id }) => id)
  while (last.nextCursor !== null) {
    last = await page(last.nextCursor)
    seen.push(...last.threats.map(({ id }) => id))
  }
  expect(seen).toEqual(['thr_1'])
  expect(last.endsEarly).toContain('gives none that are new')
  expect(standIn.calls.length).toBeLessThan(40)
})

test('pages v1 by its own cursor, without what the page before had', async () => {
  const { standIn, ask } = await startMovingList(0)
  const pages: Record<string, unknown> = {
    '': v1List([v1Record({ id: 'a' }), v1Record({ id: 'b' }), v1Record({ id: 'b' })], { cursor: 'one' }),
    one: v1List([v1Record({ id: 'b' }), v1Record({ id: 'c' })], { cursor: 'two' }),
    two: v1List([v1Record({ id: 'd' })], { cursor: 'two' }),
  }
  standIn.play(LIST, ({ query }) => ({ json: pages[query.cursor ?? ''] }))
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer = await ask(`/bff/threats${cursor && `?cursor=${cursor}`}`)
    const page: ThreatList = threatListSchema.parse(await answer.json())
    seen.push(...page.threats.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd'])
})

/** Follows a v1 list to its end, and gives how many calls that took and what was said of the end. */
async function followV1(answer: (cursor: number) => { ids: string[]; next: string | null }) {
  const { standIn, ask } = await startMovingList(0)
  standIn.play(LIST, ({ query }) => {
    const { ids, next } = answer(Number(query.cursor ?? 0))
    return {
      json: v1List(
        ids.map((id) => v1Record({ id })),
        { cursor: next },
      ),
    }
  })
  let page: ThreatList | null = null
  while (page?.nextCursor !== null && standIn.calls.length < 500) {
    const response: Response = await ask(`/bff/threats${page ? `?cursor=${page.nextCursor}` : ''}`)
    page = threatListSchema.parse(await response.json())
  }
  return { calls: standIn.calls.length, endsEarly: page?.endsEarly }
}

const idsOf = (page: number) => ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `${letter}-${page}`)

test.each([
  ['leads in a circle', (at: number) => ({ ids: idsOf(at), next: String(at === 3 ? 1 : at + 1) }), 4],
  ['repeats its page under ever new cursors', (at: number) => ({ ids: idsOf(0), next: String(at + 1) }), 6],
  ['repeats one record', (at: number) => ({ ids: ['a'], next: String(at + 1) }), 6],
  ['has records without end', (at: number) => ({ ids: idsOf(at), next: String(at + 1) }), 200],
  ['has long cursors', (at: number) => ({ ids: idsOf(at), next: String(at + 1).padStart(1_000, '0') }), 200],
])('ends a v1 list that %s', async (_, answer, calls) => {
  expect(await followV1(answer)).toMatchObject({ calls, endsEarly: expect.stringMatching(/.\.$/) })
})

test('says nothing of a v1 list that simply ends', async () => {
  const end = await followV1((at) => ({ ids: idsOf(at), next: at === 2 ? null : String(at + 1) }))
  expect(end).toEqual({ calls: 3, endsEarly: undefined })
})

test('tells that the place is gone when the source refuses its own cursor', async () => {
  const { standIn, ask } = await startMovingList(0)
  standIn.play(LIST, { json: v1List([v1Record()], { cursor: 'one' }) })
  const { nextCursor } = threatListSchema.parse(await (await ask('/bff/threats')).json())
  standIn.play(LIST, { status: 400, json: { error: 'Invalid cursor' } })
  expect(await readProblem(await ask(`/bff/threats?cursor=${nextCursor}`))).toMatchObject({
    status: 400,
    fields: [{ name: 'cursor' }],
  })
})

test('a cursor fits only the question that it was given for, and cannot be made up', async () => {
  const { page, ask, standIn } = await startMovingList(120)
  const { nextCursor } = await page()
  const cursor = nextCursor ?? ''
  const forged = `${cursor.slice(0, 22)}${Buffer.from('{"set":"v1","cursor":"x","anchors":[]}').toString('base64url')}`
  const calls = standIn.calls.length
  for (const query of [
    `cursor=${cursor}`,
    `set=earlier&country=DE&cursor=${cursor}`,
    `set=earlier&timeZone=Asia/Tokyo&cursor=${cursor}`,
    `set=earlier&cursor=${cursor}x`,
    `set=earlier&cursor=${forged}`,
    `set=earlier&cursor=x`,
  ]) {
    expect((await ask(`/bff/threats?${query}`)).status).toBe(400)
  }
  expect(standIn.calls).toHaveLength(calls)
})
