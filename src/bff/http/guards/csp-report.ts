import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'
import { networkOf } from './network-of.ts'

/** The log writes as many lines of one kind. */
const LOGGED_MAX_PER_MINUTE = 20
/** A source that sends without end leaves as many to the others. */
const LOGGED_MAX_PER_SOURCE = 10

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

/**
 * Logs what browsers report of our own content policy. Anyone can send these: few a minute are believed worth a line, and
 * of one source fewer, so that none can keep the others' out.
 */
export function createCspReportLog(log: Log, clock: () => number = () => performance.now()) {
  let minute = -1
  let logged = 0
  const loggedOf = new Map<string, number>()
  return (json: unknown, address: string): void => {
    const now = Math.floor(clock() / 60_000)
    if (now !== minute) {
      minute = now
      logged = 0
      loggedOf.clear()
    }
    const source = networkOf(address)
    for (const { body } of z.safeParse(reportsSchema, json).data ?? []) {
      const ofSource = loggedOf.get(source) ?? 0
      if (logged >= LOGGED_MAX_PER_MINUTE || ofSource >= LOGGED_MAX_PER_SOURCE) return
      logged += 1
      loggedOf.set(source, ofSource + 1)
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
