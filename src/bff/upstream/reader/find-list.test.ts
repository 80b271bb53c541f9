import { expect, test } from 'vitest'
import { findList } from './find-list.ts'
import { openEnvelope } from './open-envelope.ts'

const list = [{ id: 1 }]

test.each([
  ['bare', list, list],
  ['bare and empty', [], []],
  ['under a name', { threats: list }, list],
  ['under a name in any spelling', { 'The-Threats': list }, list],
  ['under the likelier of two names', { items: [1], threats: list }, list],
  ['under a name, empty, beside others', { threats: [], more: list }, []],
  ['one envelope deeper', { data: { threats: list, more: list } }, list],
  ['in an object that has the name of a list', { threats: { items: list, more: list } }, list],
  ['as the only one', { whoever: list, total: 3 }, list],
  ['as the only one in an envelope', { response: { whoever: list } }, list],
  ['as the only one of objects among the first', { whoever: [1, { id: 1 }] }, [1, { id: 1 }]],
])('finds a list %s', (_, body, found) => {
  expect(findList(body, ['thethreats', 'threats', 'items'])?.list).toEqual(found)
})

test.each([
  ['nothing', null],
  ['a text', 'threats'],
  ['two that may be meant', { whoever: list, whatever: list }],
  ['texts of no name', { warnings: ['Upgrade'] }],
  ['nothing of no name', { whoever: [] }],
  ['two envelopes', { data: { data: { threats: list } } }],
  ['no list under its name', { threats: 'none' }],
])('finds none in %s', (_, body) => {
  expect(findList(body, ['threats'])).toBeNull()
})

test('returns the object that contains the list', () => {
  const inner = { threats: list, total: 1 }
  const only = { whoever: list }
  expect(findList(list, [])?.container).toBe(list)
  expect(findList(inner, ['threats'])?.container).toBe(inner)
  expect(findList({ data: inner }, ['threats'])?.container).toBe(inner)
  expect(findList(only, ['threats'])?.container).toBe(only)
  expect(findList({ data: only }, ['threats'])?.container).toBe(only)
})

const record = { id: 1, name: 'x' }

test.each([
  ['what has none', record, record],
  ['one', { data: record }, record],
  ['one of a noun', { Threat: record }, record],
  ['several', { response: { data: { threat: record } } }, record],
  ['one beside what is told of it', { data: record, meta: {}, 'request-id': 'r' }, record],
])('opens %s', (_, body, opened) => {
  expect(openEnvelope(body, ['threat'])).toBe(opened)
})

test.each([
  ['what else stands in it is part of the answer', { data: record, related: [] }],
  ['its name is none of an envelope', { source: record }],
  ['there is no object in it', { data: list }],
  ['there is nothing in it', { meta: {} }],
  ['it is no object', 'data'],
])('opens nothing where %s', (_, body) => {
  expect(openEnvelope(body, ['threat'])).toBe(body)
})
