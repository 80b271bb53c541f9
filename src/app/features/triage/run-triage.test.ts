import { expect, test } from 'vitest'
import { applyAction } from './run-triage.ts'

const mark = { at: '2026-11-21T12:00:00.000Z', who: 'Ada Example' }
const ada = { at: mark.at, accountId: 'u-1', name: mark.who }

test('a threat keeps the name of the user who read it first', () => {
  const first = { at: '2026-11-20T12:00:00.000Z', who: 'first@lantern.example' }
  const before = [{ id: 'a-1', read: first, starred: null, closed: null, owner: null, notes: 0 }]

  const after = applyAction(before, { action: 'read', ids: ['a-1', 'a-2'] }, ada)

  expect(after.map(({ id, read }) => [id, read?.who])).toEqual([
    ['a-1', 'first@lantern.example'],
    ['a-2', 'Ada Example'],
  ])
})

test('a closed threat keeps its reason until it is reopened', () => {
  const closed = applyAction([], { action: 'close', ids: ['a-1'], reason: 'duplicate', text: 'see a-2' }, ada)
  expect(closed.at(0)?.closed).toEqual({ ...mark, reason: 'duplicate', text: 'see a-2' })

  expect(applyAction(closed, { action: 'reopen', ids: ['a-1'] }, ada).at(0)?.closed).toBeNull()
})

test('leaves the other threats as they are', () => {
  const other = { id: 'a-9', read: null, starred: mark, closed: null, owner: null, notes: 2 }
  expect(applyAction([other], { action: 'note', ids: ['a-1'], text: 'seen' }, ada)).toEqual([
    other,
    { id: 'a-1', read: null, starred: null, closed: null, owner: null, notes: 1 },
  ])
})

test('a user who takes a case owns it until it is released', () => {
  const taken = applyAction([], { action: 'assign', ids: ['a-1'], ownerId: 'u-1' }, ada)
  expect(taken.at(0)?.owner).toEqual({
    ...mark,
    ownerId: 'u-1',
    name: 'Ada Example',
    isMe: true,
    isActive: true,
  })
  expect(applyAction(taken, { action: 'release', ids: ['a-1'] }, ada).at(0)?.owner).toBeNull()
})
