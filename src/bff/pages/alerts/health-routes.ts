import { listProblems, type ProblemDependencies, READ_ONLY } from '#bff/alerts/health/list-problems.ts'
import { readMailFault } from '#bff/alerts/health/notify-problems.ts'
import { type HealthDependencies, readAlertHealth } from '#bff/alerts/health/read-health.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { profileReaderOf } from '#bff/notify/profile-queries.ts'

type HealthRouteDependencies = HealthDependencies & {
  problems: ProblemDependencies
  isDatabaseWritable: () => Promise<boolean>
}

/** Reports whether alerts reach people. */
export function healthRoutes({
  problems: problemDependencies,
  isDatabaseWritable,
  ...dependencies
}: HealthRouteDependencies): BffRoute[] {
  return [
    defineRoute('GET /bff/alerts/health', {
      access: 'viewer',
      async answer({ session }) {
        const { database } = dependencies
        const problems = await listProblems(database, problemDependencies, await readMailFault(database))
        const readOnly = (await isDatabaseWritable()) ? [] : [READ_ONLY]
        return {
          json: await readAlertHealth(profileReaderOf(session), [...readOnly, ...problems], dependencies),
        }
      },
    }),
  ]
}
