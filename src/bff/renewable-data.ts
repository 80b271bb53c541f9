import type { BffRoute } from '#bff/http/route.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { createDataRoutes } from './compose.ts'

/** Longer than any call takes: those under way end on what they began with. */
const LEAVE_AFTER_MS = 30_000

type Data = ReturnType<typeof createDataRoutes>

/**
 * The data's routes on clients, caches and a reader that can be made anew as a whole. Nothing that one key has read
 * outlives it, and whoever waits for an answer gets it by the key that was asked with.
 */
export function createRenewableData(create: () => Data, database: OpenDatabase) {
  let current = create()
  let reader: ReturnType<Data['startWindowReader']> | null = null
  const leaving = new Map<NodeJS.Timeout, Data>()

  function leave(data: Data): void {
    const timer = setTimeout(() => {
      leaving.delete(timer)
      void data.close()
    }, LEAVE_AFTER_MS)
    leaving.set(timer.unref(), data)
  }

  return {
    routes: current.routes.map((route): BffRoute => {
      const { method, path } = route
      return {
        ...route,
        async answer(input) {
          const asked = current
          const answer = await routeOf(asked, method, path).answer(input)
          // Whoever waited gets what another key has read; nobody else does.
          return asked === current ? answer : { ...answer, freshForMs: undefined }
        },
      }
    }),
    readSourceFacts: () => current.readSourceFacts(),
    readKeyStates: () => current.readKeyStates(),
    forgetWindow: () => current.forgetWindow(),
    findTriggers: () => current.findTriggers(),
    startReader(): void {
      reader = current.startWindowReader(database)
    },
    /** Ends its office, so that another process can take it. */
    async stopReader(): Promise<void> {
      await reader?.close()
      reader = null
    },
    /** Not twice at a time. */
    async renew(): Promise<void> {
      leave(current)
      current = create()
      if (!reader) return
      await reader.close()
      reader = current.startWindowReader(database)
    },
    async close(): Promise<void> {
      for (const [timer, data] of leaving) {
        clearTimeout(timer)
        await data.close()
      }
      await current.close()
    },
  }
}

function routeOf({ routes }: Data, method: string, path: string): BffRoute {
  const route = routes.find((one) => one.method === method && one.path === path)
  if (!route) throw new Error(`The table has no ${method} ${path} any more`)
  return route
}
