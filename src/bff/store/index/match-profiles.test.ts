import { expect, test } from 'vitest'
import { createDictionaries, toRows } from './index-rows.ts'
import { matchProfiles } from './match-profiles.ts'

test('compares a time alone: its first moment, not its end', async () => {
  const facts = [1, 2, 3].map((at) => ({ id: `t${at}`, at, terms: [], searchedText: ' acme ' }))
  const rows = toRows(createDictionaries(), facts)
  const found: (string | undefined)[] = []
  const profile = { keywords: ['acme'], categories: [] }
  const options = { profiles: [profile], bounds: { start: 1, end: 3 } }
  expect(await matchProfiles(rows, options, ({ row }) => found.push(rows.ids[row]))).toBe(2)
  expect(found).toEqual(['t2', 't1'])
})

test('stops once nobody waits for it', async () => {
  const facts = Array.from({ length: 10_001 }, (_, at) => ({
    id: `t${at}`,
    at,
    terms: [],
    searchedText: ' acme ',
  }))
  const rows = toRows(createDictionaries(), facts)
  const patience = new AbortController()
  let hits = 0
  const options = { profiles: [{ keywords: ['acme'], categories: [] }], bounds: { start: 0, end: 10_001 } }
  const scan = matchProfiles(rows, { ...options, signal: patience.signal }, () => {
    hits++
    patience.abort()
  })
  await expect(scan).rejects.toThrow()
  expect(hits).toBe(10_000)
})
