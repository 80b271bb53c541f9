import { expect, test } from 'vitest'
import { WORLD_SHAPES } from './world-shapes.ts'

test('every land of the map is a country that we know, but for two that have no code', () => {
  const shapes = WORLD_SHAPES
  expect(shapes.filter(({ code }) => code === null).map(({ id }) => id)).toEqual(['N. Cyprus', 'Somaliland'])
  expect(shapes.every(({ path }) => path.startsWith('M'))).toBe(true)
  const codes = shapes.flatMap(({ code }) => code ?? [])
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(expect.arrayContaining(['DE', 'US', 'XK', 'CD', 'CG', 'KP', 'KR']))
})
