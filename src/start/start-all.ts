export type Closers = { add(close: () => Promise<void>): void }

/** Runs a start that opens one thing after another; closes them, last first, when it fails or when `close` is called. */
export async function startAll<T>(
  start: (closers: Closers) => Promise<T>,
): Promise<{ started: T; close(): Promise<void> }> {
  const opened: Array<() => Promise<void>> = []
  const close = async () => {
    for (let next = opened.pop(); next; next = opened.pop()) await next()
  }
  try {
    const started = await start({ add: (closer) => void opened.push(closer) })
    return { started, close }
  } catch (error) {
    await close()
    throw error
  }
}
