import { serveWhenElected } from '#bff/store/sync/election.ts'
import { openDatabase } from '#database/open-database.ts'

/** A process of its own that is elected on the database of its first argument, says so, and never gives way. */
const { pool } = await openDatabase({ url: process.argv[2] ?? '' })
await serveWhenElected({
  pool,
  signal: new AbortController().signal,
  async serve(signal) {
    process.stdout.write('elected\n')
    const alive = setInterval(() => {}, 1_000)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    clearInterval(alive)
  },
  onError: (error) => console.error(error),
})
