import * as z from 'zod/mini'
import type { ThreatFilter } from './threat-list.ts'

/** Calendar time up to now: days with today among them, or months with the current one among them. */
export const RUNNING_PERIODS = ['7d', '30d', '90d', '12m'] as const
/** Addresses leave it out. */
export const DEFAULT_PERIOD = '30d'

const NAME = /^(?:7d|30d|90d|12m|(?:19|20|21)\d\d-(?:0[1-9]|1[0-2]|Q[1-4]))$/
const NAME_FAULT = 'must be 7d, 30d, 90d, 12m, a month such as 2026-10 or a quarter such as 2026-Q3'

/** Which time figures are of, such as `30d`, `12m`, `2026-10` or `2026-Q3`. Pure, so that the browser gets none of it. */
export const periodNameSchema = /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.regex(NAME, NAME_FAULT))
/** The query's `period`. */
export const periodQuerySchema = /* @__PURE__ */ z._default(periodNameSchema, DEFAULT_PERIOD)

/** The period of an answer's figures. */
export const periodSchema = z.object({
  name: z.string(),
  /**
   * Length of its intervals. Weeks have 7 days from any weekday on; the first can be shorter, and the last can have 8.
   */
  unit: z.enum(['day', 'week', 'month']),
  /** First and last day in the reader's zone; the last is today while the period runs. */
  from: z.iso.date(),
  to: z.iso.date(),
  isRunning: z.boolean(),
})
export type Period = z.infer<typeof periodSchema>

/** The month or quarter before (`-1`) or after (`1`) a named one; null for a period up to now. */
export function shiftPeriod(name: string, by: -1 | 1): string | null {
  const [year = '', part = ''] = name.split('-')
  const isQuarter = part.startsWith('Q')
  const parts = isQuarter ? 4 : 12
  const at = Number(year) * parts + Number(part.replace('Q', '')) - 1 + by
  if (Number.isNaN(at) || part === '') return null
  const number = (at % parts) + 1
  return `${Math.floor(at / parts)}-${isQuarter ? `Q${number}` : String(number).padStart(2, '0')}`
}

/** `2026-07` of `2026-07` and of `2026-Q3`; null for a period up to now. */
export function firstMonthOf(name: string): string | null {
  const [year, part] = name.split('-')
  if (part === undefined) return null
  if (!part.startsWith('Q')) return name
  return `${year}-${String(3 * Number(part.slice(1)) - 2).padStart(2, '0')}`
}

/** The period that a text names; null where it names none, or one that is still to come. */
export function readPeriodName(text: string, today: string): string | null {
  const isNow = (firstMonthOf(text) ?? '') <= today.slice(0, 7)
  return NAME.test(text) && isNow ? text : null
}

let monthFormat: Intl.DateTimeFormat | undefined
const LENGTHS: Readonly<Record<string, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
}

/** `Last 30 days`, `October 2026`, `Q3 2026`: a choice or a heading. */
export function periodTitle(name: string): string {
  const length = LENGTHS[name]
  return length ? `Last ${length}` : nameOf(name)
}

/** `the last 30 days`, `October 2026`: in a sentence. */
export function periodPhrase(name: string): string {
  const length = LENGTHS[name]
  return length ? `the last ${length}` : nameOf(name)
}

/** `30 days`, `October 2026`: the same where there is little room. */
export function periodShort(name: string): string {
  return LENGTHS[name] ?? nameOf(name)
}

/** `the 30 days before`, `September 2026`: what it is compared with, in a sentence. */
export function previousPhrase(name: string): string {
  const length = LENGTHS[name]
  return length ? `the ${length} before` : nameOf(shiftPeriod(name, -1) ?? name)
}

/** `30 days before`, `September 2026`: the same in a legend. */
export function previousTitle(name: string): string {
  return previousPhrase(name).replace(/^the /, '')
}

/** Returns the value for an address: undefined for the default. */
export function periodParam(name: string): string | undefined {
  return name === DEFAULT_PERIOD ? undefined : name
}

/** The feed's filter for the same threats. */
export function filterOfPeriod({ name, from, to }: Period): Pick<ThreatFilter, 'within' | 'from' | 'to'> {
  return name === '7d' || name === '30d' ? { within: name } : { from, to }
}

function nameOf(name: string): string {
  const [year, part] = name.split('-')
  if (part?.startsWith('Q')) return `${part} ${year}`
  monthFormat ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
  return monthFormat.format(Date.parse(`${name}-01`))
}
