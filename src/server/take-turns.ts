/** Runs at most `count` at the same time; the others wait in order (a semaphore), each at most `waitMs` milliseconds. */
export function createTurns(count: number, waitMs?: number) {
  const waiting = new Set<() => void>()
  let free = count

  function untilFree(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin)
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(begin)
        reject(new Error(`waited too long for a turn: ${waitMs} ms`))
      }
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs)
      waiting.add(begin)
    })
  }

  return {
    /** Runs the task now, or after those that came before; throws if its turn does not come in time. */
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (free > 0) free -= 1
      else await untilFree()
      try {
        return await task()
      } finally {
        const [next] = waiting
        if (next) next()
        else free += 1
      }
    },
    waitingCount: () => waiting.size,
  }
}
