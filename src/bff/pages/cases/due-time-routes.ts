import { defineChange } from '#bff/accounts/make-change.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { lockDueTimes, readDueTimes, writeDueTimes } from '#bff/store/cases/due-time-queries.ts'
import { type DueTimes, dueTimesSchema } from '#contract/bff/due-time.ts'
import { SEVERITIES } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'

/** After how long a case is due: everybody reads it, admins set it for the team. */
export function dueTimeRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute('GET /bff/due-times', {
      access: 'viewer',
      answer: async () => ({ json: await readDueTimes(database) }),
    }),
    defineChange(database, 'PUT /bff/due-times', {
      access: 'admin',
      body: dueTimesSchema,
      // Open pages show when cases are due, and lists have what is overdue.
      live: { kind: 'triage' },
      async change({ body }, tx, record) {
        const before = await lockDueTimes(tx)
        const changed = SEVERITIES.filter((severity) => before[severity] !== body[severity])
        if (changed.length === 0) return body
        await writeDueTimes(tx, body)
        const pick = (times: DueTimes) =>
          Object.fromEntries(changed.map((severity) => [severity, times[severity]]))
        await record({ action: 'due-times-changed', object: null, before: pick(before), after: pick(body) })
        return body
      },
    }),
  ]
}
