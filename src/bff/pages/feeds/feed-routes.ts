import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { createReadFeed, type ReadFeedDependencies } from './read-feed.ts'

/** Answers `/feeds/FILE`. The route is public: whoever has the address may read. */
export function feedRoutes(dependencies: ReadFeedDependencies): BffRoute[] {
  const readFeed = createReadFeed(dependencies)
  return [
    defineRoute('GET /bff/feeds/:fileName', {
      access: 'public',
      params: z.object({ fileName: z.string().check(z.maxLength(64)) }),
      async answer({ params }) {
        const xml = await readFeed(params.fileName)
        if (xml === null) {
          throw new ProblemError({
            code: 'not_found',
            detail: 'There is no feed at this address. Its owner may have taken it back.',
          })
        }
        return {
          bytes: new TextEncoder().encode(xml),
          contentType: 'application/atom+xml; charset=utf-8',
          headers: { 'x-robots-tag': 'noindex' },
        }
      },
    }),
  ]
}
