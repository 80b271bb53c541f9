import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'

const LOGGED_MAX_PER_MINUTE = 10

const reportsSchema = z.array(
  z.object({
    body: z.object({
      effectiveDirective: z.optional(z.string()),
      blockedURL: z.optional(z.string()),
      sourceFile: z.nullish(z.string()),
      lineNumber: z.nullish(z.number()),
    }),
  }),
)

/** Logs what browsers report of our own content policy. Anyone can send these: few a minute are believed worth a line. */
export function createCspReportLog(log: Log, clock: () => number = () => performance.now()) {
  let minute = -1
  let logged = 0
  return (json: unknown): void => {
    const now = Math.floor(clock() / 60_000)
    if (now !== minute) {
      minute = now
      logged = 0
    }
    for (const { body } of z.safeParse(reportsSchema, json).data ?? []) {
      if (logged >= LOGGED_MAX_PER_MINUTE) return
      logged += 1
      log.warn('csp-violation', {
        directive: clip(body.effectiveDirective),
        blocked: clip(originOf(body.blockedURL)),
        source: clip(body.sourceFile),
        line: body.lineNumber,
      })
    }
  }
}

/** Paths and queries can hold what a reader searched for. */
function originOf(url: string | undefined): string | undefined {
  return url && (URL.parse(url)?.origin ?? url)
}

function clip(text: string | null | undefined): string | null {
  return text?.slice(0, 200) ?? null
}
