import { expect, test } from 'vitest'
import { addAccount, claim, claimAll, withCases, ZEBRA } from '#test/support/store/open-cases.ts'

test(
  'the comments of a case are those on its claims, also after claims come and leave',
  withCases(async ({ act, undo, join, undoJoin, lookAt, readHistory }, database) => {
    await claim(database, 'first')
    await claim(database, 'zebra', ZEBRA)
    const first = await act({ action: 'note', ids: ['first'], text: 'ask legal' })
    await act({ action: 'note', ids: ['zebra'], text: 'called' })
    await act({ action: 'note', ids: ['zebra'], text: 'called again' })
    const counts = async () => [(await lookAt('first'))?.notes, (await lookAt('zebra'))?.notes]

    const joined = await join('first', 'zebra')
    expect([await counts(), (await readHistory('first')).length]).toEqual([[3, 3], 3])
    expect(await undoJoin(joined)).toBe(204)
    expect([await counts(), (await readHistory('first')).length]).toEqual([[1, 2], 1])

    await join('first', 'zebra')
    await undo(first.undoId)
    expect(await counts()).toEqual([2, 2])
  }),
)

test(
  'undo takes owner, star and state also from claims that have come to the case since',
  withCases(async ({ act, undo, ownId, lookAt }, database) => {
    const graceId = await addAccount(database, { email: 'grace@corp.example', role: 'analyst' })
    await claim(database, 'first')
    await act({ action: 'assign', ids: ['first'], ownerId: graceId })
    const taken = await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    const starred = await act({ action: 'star', ids: ['first'] })
    const closed = await act({ action: 'close', ids: ['first'], reason: 'handled', text: null })
    await claim(database, 'second', { title: 'Okapi Freight Ltd part 2' })
    const states = () => Promise.all(['first', 'second'].map(lookAt))
    expect(await states()).toMatchObject(
      ['first', 'second'].map(() => ({ owner: { isMe: true }, starred: {}, closed: { reason: 'handled' } })),
    )

    const reopened = await undo(closed.undoId)
    expect(reopened.states.map((state) => [state.id, state.closed])).toEqual([
      ['first', null],
      ['second', null],
    ])
    await undo(starred.undoId)
    await undo(taken.undoId)
    const before = { owner: { ownerId: graceId }, starred: null, closed: null }
    expect(await states()).toMatchObject([before, before])
  }),
)

test(
  'undo of a join removes the owner and the star that it gave, unless they were changed',
  withCases(async ({ act, join, undoJoin, ownId, lookAt, readHistory }, database) => {
    await claim(database, 'first')
    await claim(database, 'zebra', ZEBRA)
    await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    await act({ action: 'star', ids: ['first'] })
    const joined = await join('first', 'zebra')
    expect(await lookAt('zebra')).toMatchObject({ owner: { isMe: true }, starred: { who: 'ada' } })
    expect(await undoJoin(joined)).toBe(204)
    expect(await lookAt('zebra')).toMatchObject({ owner: null, starred: null })
    expect(await lookAt('first')).toMatchObject({ owner: { isMe: true }, starred: { who: 'ada' } })
    expect((await readHistory('zebra')).map(({ action, isUndone }) => [action, isUndone])).toEqual([
      ['undo', false],
      ['star', true],
      ['assign', true],
    ])

    const again = await join('first', 'zebra')
    const graceId = await addAccount(database, { email: 'grace@corp.example', role: 'analyst' })
    await act({ action: 'assign', ids: ['zebra'], ownerId: graceId })
    await undoJoin(again)
    expect(await lookAt('zebra')).toMatchObject({ owner: { ownerId: graceId }, starred: null })
  }),
)

test(
  'a claim that the vendor corrects to another victim loses what it got by its case, and keeps what people gave it',
  withCases(async ({ act, ownId, lookAt, readHistory }, database) => {
    await claim(database, 'first')
    await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    await act({ action: 'star', ids: ['first'] })
    await act({ action: 'close', ids: ['first'], reason: 'handled', text: null })
    const repeats = ['second', 'third', 'fourth']
    await claimAll(database, repeats)
    const all = { owner: { isMe: true }, starred: { who: 'ada' }, closed: { reason: 'handled' } }
    const nothing = { owner: null, starred: null, closed: null }
    const states = () => Promise.all(['first', ...repeats].map(lookAt))
    expect(await states()).toMatchObject([all, all, all, all])

    await claim(database, 'second', ZEBRA)
    expect(await states()).toMatchObject([all, nothing, all, all])
    expect((await readHistory('second')).map(({ who, action }) => [who, action])).toEqual([
      ['Lantern', 'undo'],
    ])
    // More claims leave than stay.
    await claimAll(database, ['third', 'fourth'], ZEBRA)
    expect(await states()).toMatchObject([all, nothing, nothing, nothing])

    await claim(database, 'fifth')
    await act({ action: 'release', ids: ['fifth'] })
    await act({ action: 'assign', ids: ['fifth'], ownerId: ownId })
    await claim(database, 'fifth', ZEBRA)
    expect(await lookAt('fifth')).toMatchObject({ ...nothing, owner: { isMe: true } })
  }),
)
