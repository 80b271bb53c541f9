import { readFile } from 'node:fs/promises'
import { expect, expectTypeOf, test } from 'vitest'
import { type BffPath, ENDPOINTS, type QueryNoun } from '#contract/bff/endpoints.ts'
import { composeTable } from './compose-table.ts'
import { writeEndpoints } from './write-endpoints.ts'

test('the contract names each route of the table, once, and no other', async () => {
  const table = await composeTable()
  expect(table.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(ENDPOINTS).sort())
})

test('the document of the routes is what `npm run docs` writes', async () => {
  expect(await readFile('docs/contributing/endpoints.md', 'utf8')).toBe(writeEndpoints(await composeTable()))
})

test('the types of pages accept only paths that have a route', () => {
  expectTypeOf<'threats/a-1/related'>().toExtend<BffPath<'GET'>>()
  expectTypeOf<'threads'>().not.toExtend<BffPath<'GET'>>()
  expectTypeOf<'triage/undo'>().not.toExtend<BffPath<'PUT'>>()
  expectTypeOf<'sign-in'>().toExtend<QueryNoun>()
  expectTypeOf<'threads'>().not.toExtend<QueryNoun>()
})
