import * as z from 'zod/mini'
import { cutText } from '#service/threats/cut-text.ts'
import { publishedAtSchema, threatRecordSchema } from '#service/threats/threat-record.ts'
import { ENGLISH } from './english.ts'
import { readNeutralRecord } from './neutral-record.ts'
import { readEarlierRecord, readV1Record } from './service-record.ts'

const EXCERPT_MAX_LENGTH = 200

const lineSchema = z.record(z.string(), z.unknown())

/** A record whose source may give no date. */
const incomingThreatSchema = z.extend(threatRecordSchema, { publishedAt: z.nullable(publishedAtSchema) })
export type IncomingThreat = z.infer<typeof incomingThreatSchema>

/** Dates that are moved elsewhere must not stand in the text as they were. */
export type ReadOptions = { keepsDates: boolean }

/** Reads one line of a file, in any of the forms that import knows. */
export function readRecord(
  text: string,
  options: ReadOptions = { keepsDates: true },
): { threat: IncomingThreat } | { problem: string } {
  try {
    const fields = readFields(lineSchema.parse(JSON.parse(text), ENGLISH), options)
    const excerpt = cutText(fields.summary, EXCERPT_MAX_LENGTH)
    return { threat: incomingThreatSchema.parse({ excerpt, ...fields, isDemo: false }, ENGLISH) }
  } catch (error) {
    return { problem: describeProblem(error) }
  }
}

function readFields(line: Record<string, unknown>, { keepsDates }: ReadOptions) {
  if ('victims' in line) return readV1Record(line)
  if ('posted_at' in line) return readEarlierRecord(line)
  return readNeutralRecord(line, keepsDates)
}

function describeProblem(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON'
  if (error instanceof RangeError) return 'nested too deeply'
  if (!(error instanceof z.core.$ZodError)) throw error
  const { path = [], message = '' } = error.issues[0] ?? {}
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
