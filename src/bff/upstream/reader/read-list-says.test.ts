import { describe, expect, test } from 'vitest'
import { threatSchema } from '#contract/bff/threat.ts'
import { readThreatList } from './read-threat-list.ts'

/** Reads what a list reports of its only record. */
function says(members: object, set: 'v1' | 'earlier' = 'v1') {
  const [threat] = readThreatList(set, { data: [{ id: 'thr_1', ...members }] })?.threats ?? []
  return threat && threatSchema.parse(threat).listSays
}

describe('a list reports the analysis', () => {
  test.each<[string, object, boolean | undefined]>([
    ['that it is there', { ai_analysis: 'Likely real.' }, true],
    ['so by an object', { aiAnalysis: { summary: '', impact: 'Outage.' } }, true],
    ['so by a name beside it', { analysis_summary: 'Likely real.' }, true],
    ['so by a name beside an empty one', { ai_analysis: '', ai_summary: 'Likely real.' }, true],
    ['so by a flag', { analysis: true }, true],
    ['that it is not, by an empty text', { ai_analysis: ' ' }, false],
    ['that it is not, by null', { ai_analysis: null }, false],
    ['that it is not, by empty members', { analysis: { summary: '', recommendations: [null] } }, false],
    ['that it is not, by a flag', { analysis: false }, false],
    ['nothing, without such a member', { summary: 'Of the threat itself.' }, undefined],
    ['nothing, where the plan withholds it', { ai_analysis: '[redacted]' }, undefined],
    ['nothing, where nobody understands it', { ai_analysis: { model: 'x' } }, undefined],
    ['nothing, by a number without end', { ai_analysis: { score: Number.POSITIVE_INFINITY } }, undefined],
  ])('%s', (_, members, expected) => {
    expect(says(members)?.analysis).toBe(expected)
  })
})

describe('a list reports the evidence', () => {
  test.each<[string, object, boolean | undefined]>([
    ['that it is there', { evidence: [{ url: 'https://a.example/1.png' }] }, true],
    ['so by another name', { screenshots: ['https://a.example/1.png'] }, true],
    ['so by a count', { evidence: 3 }, true],
    ['that there is none', { evidence: [] }, false],
    ['so by what is empty four deep', { evidence: [[[['']]]] }, false],
    ['nothing, by what is empty deeper than that', { evidence: [[[[['']]]]] }, undefined],
    ['so by a count of none', { evidence: 0 }, false],
    ['nothing, without such a member', {}, undefined],
    ['nothing, where the plan withholds it', { evidence: ['[redacted]'] }, undefined],
  ])('%s', (_, members, expected) => {
    expect(says({ ai_analysis: '', ...members })?.evidence).toBe(expected)
  })
})

describe('a list reports where a threat was found', () => {
  const longest = `${'a'.repeat(63)}.`.repeat(3).concat('a'.repeat(61))
  test.each<[string, object, string | null | undefined]>([
    ['by an address', { source_url: 'https://Forum.Example:8443/thread/1?x=y' }, 'forum.example'],
    ['by a defanged one', { sourceUrl: 'hxxp[://]leaks[.]onion/x' }, 'leaks.onion'],
    ['by one without a scheme', { link: 'forum.example/thread' }, 'forum.example'],
    ['by one with a name and a password', { url: 'https://a:b@forum.example/' }, 'forum.example'],
    ['by one between blanks', { url: ' https://forum.example/ ' }, 'forum.example'],
    ['by a host of 253 characters', { url: `https://${longest}/` }, longest],
    ['nothing, by a longer host', { url: `https://${longest}a/` }, undefined],
    ['nothing, by one in quotes', { url: '"https://forum.example/"' }, undefined],
    ['by one in another script', { url: 'https://bücher.example./' }, 'xn--bcher-kva.example'],
    ['by an object', { source: { name: 'Forum', url: 'https://forum.example/t' } }, 'forum.example'],
    ['nowhere, by null', { source_url: null }, null],
    ['nowhere, by an empty text', { source_url: '' }, null],
    ['nothing, by a name alone', { source: 'Forum' }, undefined],
    ['nothing, by a host alone', { source_url: '', source: 'http://localhost/' }, undefined],
    ['nothing, by what is no address', { source_url: 'seen on a forum' }, undefined],
    ['nothing, without such a member', {}, undefined],
    ['nothing, where the plan withholds it', { source_url: '[redacted]' }, undefined],
  ])('%s', (_, members, expected) => {
    expect(says({ ai_analysis: '', ...members })?.source).toBe(expected)
  })
})

test('keeps nothing of what it says but that', () => {
  const record = { ai_analysis: 'Of nobody’s business.', source_url: 'https://forum.example/secret' }
  const { threats = [] } = readThreatList('v1', { data: [{ id: 'thr_1', ...record }] }) ?? {}
  expect(threats[0]?.listSays).toEqual({ analysis: true, source: 'forum.example' })
  expect(JSON.stringify(threats)).not.toMatch(/business|secret/)
})

test('is undefined for a list without such members', () => {
  expect(says({ title: 'Northwind', posted_at: '2026-03-10T08:00:00Z' }, 'earlier')).toBeUndefined()
})

test('survives very deep nesting', () => {
  let deep: unknown = 'x'
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(says({ ai_analysis: deep, evidence: deep, source: deep })).toBeUndefined()
})
