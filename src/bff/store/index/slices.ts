import { setImmediate } from 'node:timers/promises'

/** Work that stops now and then, so that it can be done a slice at a time. */
export type Slices<T> = Generator<void, T>

/** Does it at once, where nobody else waits. */
export function atOnce<T>(slices: Slices<T>): T {
  let slice = slices.next()
  while (!slice.done) slice = slices.next()
  return slice.value
}

/** Does it while the event loop has its turn between two slices. */
export async function inSlices<T>(slices: Slices<T>): Promise<T> {
  let slice = slices.next()
  while (!slice.done) {
    await setImmediate()
    slice = slices.next()
  }
  return slice.value
}

/** Gives the same promise to all who ask for one thing meanwhile, and a new one after a failure. */
export function shareMaking<Key extends WeakKey, T>(
  making: WeakMap<Key, Promise<T>>,
  key: Key,
  make: () => Promise<T>,
): Promise<T> {
  const known = making.get(key)
  if (known) return known
  const made = make()
  making.set(key, made)
  made.catch(() => making.delete(key))
  return made
}
