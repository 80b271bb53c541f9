import { expect, test } from 'vitest'
import { PAGE_PATHS } from '#contract/bff/page-paths.ts'
import { createAppRouter } from './router.ts'

test('the paths that the server answers with the app are those of the router', () => {
  const paths = Object.keys(createAppRouter().routesByPath).map((path) => path.replace(/(?<=.)\/$/, ''))
  expect([...PAGE_PATHS]).toEqual([...new Set(paths)].sort())
})
