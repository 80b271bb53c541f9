import * as z from 'zod/mini'

const COUNT_MAX = 2_147_483_647
const countSchema = z.int().check(z.minimum(0), z.maximum(COUNT_MAX))

/** Names what a store holds: both numbers only rise, and every change of its records raises one of them. */
export const dataVersionSchema = z.strictObject({
  /** Numbers of different stores do not compare. */
  store: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
  /** How many records were ever added. */
  added: countSchema,
  /** How many were ever removed. */
  removed: countSchema,
})
export type DataVersion = z.infer<typeof dataVersionSchema>

/** As a header: a Dictionary of RFC 9651, section 3.2, such as `store=s4f1, added=15213, removed=5000`. */
export function formatDataVersion({ store, added, removed }: DataVersion): string {
  return `store=${store}, added=${added}, removed=${removed}`
}

/** Null for what `formatDataVersion` does not write. */
export function parseDataVersion(text: string | undefined): DataVersion | null {
  const found = /^store=(?<store>[a-z0-9-]+), added=(?<added>\d+), removed=(?<removed>\d+)$/.exec(text ?? '')
  const { store, added, removed } = found?.groups ?? {}
  return dataVersionSchema.safeParse({ store, added: Number(added), removed: Number(removed) }).data ?? null
}

/**
 * Returns true if data is later than known data. Two processes may report versions out of order. Another store counts
 * as later.
 */
export function isLaterVersion(version: DataVersion, than: DataVersion): boolean {
  if (version.store !== than.store) return true
  return version.added + version.removed > than.added + than.removed
}
