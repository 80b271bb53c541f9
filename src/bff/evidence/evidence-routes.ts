import * as z from 'zod/mini'
import { toAsk } from '#bff/cache/ask.ts'
import { ProblemError } from '#bff/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import type { ReadThreat } from '#bff/threats/read-threats.ts'
import { orProblem } from '#bff/upstream/to-problem.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import type { ReadPicture } from './read-picture.ts'

type EvidenceRouteDependencies = { readThreat: ReadThreat; readPicture: ReadPicture }

export function evidenceRoutes({ readThreat, readPicture }: EvidenceRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id/evidence/:index',
      access: 'viewer',
      params: z.extend(threatParamsSchema, {
        index: z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
      }),
      query: threatQuerySchema,
      cache: 'none',
      async answer({ params: { id, index }, query, request, session }) {
        const ask = toAsk(request, session)
        const { answer } = await orProblem(() => readThreat(id, query.set ?? null, ask))
        const evidence = answer.threat.evidence.at(index)
        if (!evidence)
          throw new ProblemError({ code: 'not_found', detail: 'The threat has no such evidence.' })
        return { bytes: await orProblem(() => readPicture(evidence.url, ask)), contentType: 'image/webp' }
      },
    }),
  ]
}
