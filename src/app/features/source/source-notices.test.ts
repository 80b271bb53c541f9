import { expect, test } from 'vitest'
import type { SetState, Source } from '#contract/bff/source.ts'
import { SOURCE } from '#test/support/app/fake-bff.ts'
import { sourceNotices } from './source-notices.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const IN_TEN_MINUTES = '2026-03-10T12:10:00Z'

const noticesOf = (change: Partial<Source>) =>
  sourceNotices({ ...SOURCE, ...change }, { now: NOW, timeZone: 'UTC' })
const setsOf = (v1: Partial<SetState>, earlier: Partial<SetState> = {}) => ({
  v1: { ...SOURCE.sets.v1, ...v1 },
  earlier: { ...SOURCE.sets.earlier, ...earlier },
})

test('shows no notice without a problem', () => {
  expect(noticesOf({})).toEqual([])
})

test.for(['missing', 'invalid'] as const)('shows a notice for a key that is %s', (key) => {
  expect(noticesOf({ key })).toMatchObject([{ tone: 'danger', text: expect.stringMatching(/\ban admin\b/i) }])
})

test('quotes the vendor when the plan permits nothing', () => {
  const sets = setsOf({ status: 'forbidden', reason: 'Upgrade <b>now</b>' }, { status: 'forbidden' })
  expect(noticesOf({ sets })).toMatchObject([{ tone: 'danger', quote: 'Upgrade <b>now</b>' }])
})

test('says that the address has no API, and which of two the plan lacks', () => {
  expect(noticesOf({ sets: setsOf({ status: 'absent' }, { status: 'absent' }) })).toMatchObject([
    { tone: 'danger', text: expect.stringContaining('UPSTREAM_URL') },
  ])
  const one = setsOf({ status: 'forbidden', reason: 'Upgrade' }, { status: 'absent' })
  expect(noticesOf({ sets: one })).toMatchObject([
    { quote: 'Upgrade', text: expect.stringContaining('the one API') },
  ])
  expect(noticesOf({ sets: setsOf({}, { status: 'absent' }) })).toEqual([])
})

test('says until when every usable route set has to wait', () => {
  const sets = setsOf({ blockedUntil: IN_TEN_MINUTES }, { status: 'forbidden' })
  expect(noticesOf({ sets })).toMatchObject([{ tone: 'warning', text: expect.stringContaining('12:10 UTC') }])
})

test('is quiet about a wait while the other route set answers, and about one that is over', () => {
  expect(noticesOf({ sets: setsOf({ blockedUntil: IN_TEN_MINUTES }) })).toEqual([])
  const past = { blockedUntil: '2026-03-10T11:00:00Z' }
  expect(noticesOf({ sets: setsOf(past, past) })).toEqual([])
})

test('shows a notice for a trial that ends soon or has ended', () => {
  expect(noticesOf({ trialExpiresAt: '2026-06-01T00:00:00Z' })).toEqual([])
  expect(noticesOf({ trialExpiresAt: '2026-03-14T00:00:00Z' })).toMatchObject([
    { tone: 'info', text: expect.stringContaining('ends on 14 Mar 2026') },
  ])
  expect(noticesOf({ trialExpiresAt: '2026-03-01T00:00:00Z' })).toMatchObject([
    { tone: 'warning', text: expect.stringContaining('ended on 1 Mar 2026') },
  ])
})

test('puts the gravest first, and names demo data', () => {
  const tones = noticesOf({ key: 'invalid', isDemo: true }).map(({ tone }) => tone)
  expect(tones).toEqual(['danger', 'info'])
})

test('demo data leads to how to import, where it is this Lantern that holds it', () => {
  expect(noticesOf({ isDemo: true, kind: 'embedded' })).toMatchObject([{ tone: 'info', remedy: 'import' }])
  const [ofTeam] = noticesOf({ isDemo: true, kind: 'vendor' })
  expect(ofTeam?.text).toContain('the command import')
  expect(ofTeam?.remedy).toBeUndefined()
})

test('an own service without records leads to how to import, once its list was read', () => {
  const window = { ...SOURCE.window, threats: 0 }
  expect(noticesOf({ kind: 'embedded', window: { ...window, status: 'complete' } })).toMatchObject([
    { tone: 'info', remedy: 'import' },
  ])
  expect(noticesOf({ kind: 'embedded', window: { ...window, status: 'empty' } })).toEqual([])
  expect(noticesOf({ kind: 'vendor', window: { ...window, status: 'complete' } })).toEqual([])
})

test('a key of the embedded service is nothing to replace', () => {
  const [notice] = noticesOf({ key: 'invalid', kind: 'embedded' })
  expect(notice?.text).toContain('restart Lantern')
  expect(notice?.remedy).toBeUndefined()
})

test('shows an error of the vendor’s certificate before all other notices', () => {
  const connection = 'The vendor’s TLS certificate is self-signed.'
  expect(noticesOf({ trouble: connection, isDemo: true })[0]).toEqual({ tone: 'danger', text: connection })
})
