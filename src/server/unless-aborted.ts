/** Waits for a promise until the signal, and then throws what `giveUp` makes. The promise itself goes on. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  giveUp: () => Error,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(giveUp())
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
