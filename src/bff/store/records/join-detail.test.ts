import { expect, test } from 'vitest'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { joinDetail, rejoinListed } from './join-detail.ts'

const listed = { ...makeThreat('thr_1', '2026-03-10T12:00:00.000Z'), severity: 'low' }
const derived = { ...listed, isSeverityDerived: true }

test('whether a severity is derived goes with the severity that is shown', () => {
  const stated = { ...listed, severity: 'high' }
  expect(joinDetail(derived, stated)).toEqual(stated)
  expect(joinDetail(derived, { ...listed, severity: null })).toEqual(derived)
  expect(joinDetail(listed, derived)).toEqual(derived)
  expect(rejoinListed({ before: derived, shown: stated, now: derived })).toEqual(stated)
  expect(rejoinListed({ before: listed, shown: listed, now: derived })).toEqual(derived)
})
