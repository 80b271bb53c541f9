import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { affectsRows, execute, findRow, onlyColumn, readRow, readRows } from './read-rows.ts'

const threatSchema = z.object({ id: z.string() })

function answering(rows: unknown[]) {
  const sent: unknown[] = []
  return {
    sent,
    query: async (text: string, values?: readonly unknown[]) => {
      sent.push([text, values])
      return { rows, rowCount: rows.length }
    },
    transaction: () => Promise.reject(new Error('A statement needs no transaction')),
  }
}

test('sends the statement with its constants, and its values apart', async () => {
  const db = answering([])

  await readRows(db, threatSchema, ['a'])`
    select id from ${'threat'} where id = $1 limit ${5}`

  expect(db.sent).toEqual([['select id from threat where id = $1 limit 5', ['a']]])
})

test('parses each row, and refuses one that is not as its schema says', async () => {
  expect(await readRows(answering([{ id: 'a', more: 1 }, { id: 'b' }]), threatSchema)`select`).toEqual([
    { id: 'a' },
    { id: 'b' },
  ])
  await expect(readRows(answering([{ id: 1 }]), threatSchema)`select`).rejects.toThrow()
})

test('reads the first row, and says whether there is none', async () => {
  const two = [{ id: 'a' }, { id: 'b' }]
  expect(await findRow(answering(two), threatSchema)`select`).toEqual({ id: 'a' })
  expect(await findRow(answering([]), threatSchema)`select`).toBeNull()
  expect(await readRow(answering(two), threatSchema)`select`).toEqual({ id: 'a' })
  await expect(readRow(answering([]), threatSchema)`select`).rejects.toThrow('no row')
})

test('counts the rows that a statement has changed', async () => {
  expect(await execute(answering([{}, {}]))`delete from threat`).toBe(2)
  expect(await affectsRows(answering([{}]))`delete from threat`).toBe(true)
  expect(await affectsRows(answering([]))`delete from threat`).toBe(false)
})

test('reads the values of the only column', async () => {
  expect(await readRows(answering([{ a: 'x' }, { a: 'y' }]), onlyColumn(z.string()))`select`).toEqual([
    'x',
    'y',
  ])
  await expect(readRow(answering([{ a: 'x', b: 'y' }]), onlyColumn(z.string()))`select`).rejects.toThrow(
    'one column',
  )
})
