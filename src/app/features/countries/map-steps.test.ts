import { expect, test } from 'vitest'
import { mapSteps, stepOf } from './map-steps.ts'

test('classes cover all counts without gap or overlap', () => {
  for (const most of [1, 2, 3, 7, 40, 1_234, 99_999]) {
    const steps = mapSteps([0, 1, most])
    expect(steps.length).toBeLessThanOrEqual(5)
    expect(steps.at(0)?.from).toBe(1)
    expect(steps.at(-1)?.to).toBe(most)
    for (const [at, { from }] of steps.entries()) expect(from).toBe((steps[at - 1]?.to ?? 0) + 1)
  }
})

test('a small count and the greatest have different steps', () => {
  const steps = mapSteps([3, 12, 500])
  expect(stepOf(steps, 3)).toBeLessThan(stepOf(steps, 12))
  expect(stepOf(steps, 500)).toBe(steps.length - 1)
  expect(stepOf(steps, 0)).toBe(-1)
})

test('there is no class where nothing is counted', () => {
  expect(mapSteps([])).toEqual([])
  expect(mapSteps([0])).toEqual([])
})
