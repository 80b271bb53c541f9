import * as z from 'zod/mini'
import { cutText } from '#contract/cut-text.ts'
import { publishedAtSchema, threatRecordSchema } from '#service/threats/threat-record.ts'
import { ENGLISH } from './english.ts'
import { readNeutralRecord } from './neutral-record.ts'
import { readEarlierRecord, readV1Record } from './service-record.ts'

const EXCERPT_MAX_LENGTH = 200
/** The members that hold dates, in the order in which they are preferred. */
const DATES = ['published', 'discovered', 'end_date', 'published_at', 'posted_at']

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
  let line: Record<string, unknown> = {}
  try {
    line = lineSchema.parse(JSON.parse(text), ENGLISH)
    const fields = readFields(line, options)
    const excerpt = cutText(fields.summary, EXCERPT_MAX_LENGTH)
    return { threat: incomingThreatSchema.parse({ excerpt, ...fields, isDemo: false }, ENGLISH) }
  } catch (error) {
    return { problem: describeProblem(error, line) }
  }
}

function readFields(line: Record<string, unknown>, { keepsDates }: ReadOptions) {
  if ('victims' in line) return readV1Record(line)
  if ('posted_at' in line) return readEarlierRecord(line)
  return readNeutralRecord(line, keepsDates)
}

/** Names the member as the file has it, and what is wrong with its value. */
function describeProblem(error: unknown, line: Record<string, unknown>): string {
  if (error instanceof SyntaxError) return 'not JSON'
  if (error instanceof RangeError) return 'nested too deeply'
  if (!(error instanceof z.core.$ZodError)) throw error
  const { path = [], message = '', code } = error.issues[0] ?? {}
  const member = String(path[0] ?? '')
  if (path.length === 0) return message
  if (path.length === 1 && code === 'invalid_type' && line[member] === undefined)
    return `${member} is missing`

  const names = member === 'publishedAt' ? DATES : DATES.filter((name) => name === member)
  const dated = names.find((name) => typeof line[name] === 'string')
  return dated ? `${dated} ${dateFault(String(line[dated]))}` : `${path.join('.')}: ${message}`
}

const DATE_TIME =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?<offset>Z|[+-]\d{2}:\d{2})?)?$/

/** Describes why a text is no date or moment in the ISO 8601 form that import accepts: `has no offset`, `month 13`. */
function dateFault(text: string): string {
  const parts = DATE_TIME.exec(text)?.groups
  if (!parts) return 'is no ISO 8601 date such as 2026-06-01 or 2026-06-01T08:00:00Z'
  const { year = '', month = '', day = '', hour, minute, second, offset } = parts
  if (!/^[12]/.test(year)) return `has the year ${year}: only 1000 to 2999 are taken`
  if (Number(month) < 1 || Number(month) > 12) return `has month ${month}`
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) < 1 || Number(day) > lastDay) return `has day ${day}, and ${year}-${month} has ${lastDay}`
  if (Number(hour ?? 0) > 23) return `has hour ${hour}`
  if (Number(minute ?? 0) > 59) return `has minute ${minute}`
  if (Number(second ?? 0) > 59) return `has second ${second}`
  if (hour !== undefined && offset === undefined) return 'has no offset: end it with Z, or such as +02:00'
  return 'is no moment of ISO 8601 such as 2026-06-01T08:00:00Z'
}
