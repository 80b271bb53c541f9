import { expect, test } from 'vitest'
import { aNotifiedThreat } from '#test/fixtures/message-fixtures.ts'
import { groupByCase } from './digest-cases.ts'

test('a case shows news of an older claim unless its newest claim has its own', () => {
  const older = aNotifiedThreat({
    id: 'older',
    publishedAt: '2026-03-01T00:00:00Z',
    news: 'also claimed by Owl',
    change: 'severity rose',
  })
  const newest = { ...older, id: 'newest', publishedAt: '2026-03-02T00:00:00Z', news: null, change: null }
  const caseIds = new Map([
    ['older', 'one'],
    ['newest', 'one'],
  ])
  const [grouped] = groupByCase([older, newest], caseIds)
  expect(grouped).toMatchObject({ id: 'newest', news: 'also claimed by Owl', change: 'severity rose' })
  const [own] = groupByCase([older, { ...newest, news: 'data published' }], caseIds)
  expect(own).toMatchObject({ id: 'newest', news: 'data published' })
})
