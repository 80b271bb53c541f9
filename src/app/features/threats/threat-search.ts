import * as z from 'zod/mini'
import { threatIdSchema } from '#contract/bff/threat.ts'
import { type ThreatFilter, type ThreatListQuery, threatFilterSchema } from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'
import { routeSetSchema } from '#contract/route-set.ts'

/** More ids would make an address that some proxies refuse. */
export const SELECTED_MAX_COUNT = 100

const VALUES_MAX_COUNT = 32
const Q_MAX_LENGTH = 512

/** The feed's URL: its filter, and which threats are ticked. What it cannot read it leaves out: a bad link still opens. */
export const threatSearchSchema = z.pipe(
  z.object({
    category: listOf(readText),
    country: listOf(findCountryCode),
    actor: listOf(readText),
    industry: listOf(readText),
    severity: listOf((text) => readText(text)?.toLowerCase() ?? null),
    from: lastOf(readDay),
    to: lastOf(readDay),
    q: lastOf((text) => readText(text.slice(0, Q_MAX_LENGTH).toWellFormed())),
    set: z.catch(z.optional(routeSetSchema), undefined),
    selected: listOf((text) => threatIdSchema.safeParse(text).data ?? null, SELECTED_MAX_COUNT),
  }),
  z.transform((search) => {
    const { from, to } = search
    return from && to && from > to ? { ...search, from: to, to: from } : search
  }),
)
export type ThreatSearch = z.infer<typeof threatSearchSchema>

/** A feed question without its page: what a list is of. The zone matters, and is named, only beside a day. */
export type ThreatQuestion = Omit<ThreatListQuery, 'cursor'>

export function questionOf(filter: ThreatFilter, timeZone: string): ThreatQuestion {
  return { ...filter, timeZone: filter.from || filter.to ? timeZone : 'UTC' }
}

/** The part of a search that the BFF is asked about. */
export function filterOf(search: ThreatSearch): ThreatFilter {
  const { category, country, actor, industry, severity, from, to, q, set } = search
  return { category, country, actor, industry, severity, from, to, q, set }
}

type Read<T> = (text: string) => T | null

function listOf(read: Read<string>, max = VALUES_MAX_COUNT) {
  const readAll = (given: string | readonly string[]) => {
    const texts = [given].flat().filter((each) => typeof each === 'string')
    const values = texts.map(read).filter((value) => value !== null)
    return values.length > 0 ? [...new Set(values)].slice(0, max) : undefined
  }
  return z.optional(z.pipe(z.custom<string | readonly string[]>(), z.transform(readAll)))
}

/** One value; of several, the last. */
function lastOf(read: Read<string>) {
  const readLast = (given: string | readonly string[]) => {
    const text = [given].flat().at(-1)
    return (typeof text === 'string' ? read(text) : null) ?? undefined
  }
  return z.optional(z.pipe(z.custom<string | readonly string[]>(), z.transform(readLast)))
}

function readText(text: string): string | null {
  return threatFilterSchema.shape.q.safeParse(text.trim()).data ?? null
}

function readDay(text: string): string | null {
  return threatFilterSchema.shape.from.safeParse(text).data ?? null
}
