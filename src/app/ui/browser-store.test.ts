import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createBrowserStore } from './browser-store.ts'

const KEY = 'lantern.test'
const open = () => createBrowserStore({ key: KEY, schema: z.array(z.string()), fallback: [] })

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})

test('remembers a value beyond the page, and forgets it', () => {
  open().write(['a'])
  expect(open().read()).toEqual(['a'])
  open().write(undefined)
  expect(open().read()).toEqual([])
  expect(localStorage.getItem(KEY)).toBeNull()
})

test('keeps what ends with the tab in the tab', () => {
  createBrowserStore({ key: KEY, schema: z.string(), fallback: '', lifetime: 'session' }).write('a')
  expect([localStorage.getItem(KEY), sessionStorage.getItem(KEY)]).toEqual([null, '"a"'])
})

test.each(['', 'no JSON', '{"a":1}'])('takes %j for nothing', (text) => {
  localStorage.setItem(KEY, text)
  expect(open().read()).toEqual([])
})

test('returns the same object until the stored value changes', () => {
  const store = open()
  store.write(['a'])
  const first = store.read()
  expect(store.read()).toBe(first)
  localStorage.setItem(KEY, '["b"]')
  expect(store.read()).toEqual(['b'])
})

test('notifies listeners of changes in this and other tabs, until they unsubscribe', () => {
  const store = open()
  const onChange = vi.fn()
  const leave = store.subscribe(onChange)
  store.write(['a'])
  expect(onChange).toHaveBeenCalledTimes(1)
  dispatchEvent(new StorageEvent('storage', { key: KEY }))
  expect(onChange).toHaveBeenCalledTimes(2)
  leave()
  store.write(['b'])
  dispatchEvent(new StorageEvent('storage', { key: KEY }))
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('works without storage if the browser forbids it', () => {
  const forbid = () => {
    throw new DOMException('Forbidden', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(forbid)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbid)
  const store = open()
  store.write(['a'])
  expect(store.read()).toEqual([])
})
