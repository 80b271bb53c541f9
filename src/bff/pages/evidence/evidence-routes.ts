import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { createReadPicture, type ReadPictureDependencies } from './read-picture.ts'

type EvidenceRouteDependencies = Omit<ReadPictureDependencies, 'resolve'> & {
  /** Reads a threat from the source alone, not from the window. */
  readVendorThreat: ReadThreat
}

export function evidenceRoutes({ readVendorThreat, ...dependencies }: EvidenceRouteDependencies): BffRoute[] {
  const readPicture = createReadPicture(dependencies)
  return [
    defineRoute('GET /bff/threats/:id/evidence/:index', {
      access: 'viewer',
      params: z.extend(threatParamsSchema, {
        index: z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
      }),
      query: threatQuerySchema,
      async answer({ params: { id, index }, query, request, session }) {
        const readRequest = toReadRequest(request, session)
        const { answer } = await orProblem(() => readVendorThreat(id, query.set ?? null, readRequest))
        const evidence = answer.threat.evidence.at(index)
        if (!evidence)
          throw new ProblemError({ code: 'not_found', detail: 'The threat has no such evidence.' })
        return {
          bytes: await orProblem(() => readPicture(evidence.url, readRequest)),
          contentType: 'image/webp',
        }
      },
    }),
  ]
}
