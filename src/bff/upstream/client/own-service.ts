import * as z from 'zod/mini'
import { dataVersionSchema, isLaterVersion, parseDataVersion } from '#contract/upstream/data-version.ts'
import {
  DATA_VERSION_HEADER,
  DATA_WINDOW_HEADER,
  EXTENSIONS_HEADER,
  OWN_SERVICE,
  SERVICE_HEADER,
} from '#contract/upstream/headers.ts'

/** Our own service reports these facts beyond the reference. An older version of it may leave some out. */
export const ownServiceSchema = z.object({
  data: z.nullable(dataVersionSchema),
  /** The key's plan reads this many days back. */
  dataWindow: z.nullable(z.union([z.int(), z.literal('all')])),
  /** Names of the routes that it has beyond the reference. */
  extensions: z.array(z.string()),
})
export type OwnService = z.infer<typeof ownServiceSchema>

/** Null for a vendor's answer. */
export function readOwnService(header: (name: string) => string | undefined): OwnService | null {
  if (header(SERVICE_HEADER) !== OWN_SERVICE) return null
  const days = header(DATA_WINDOW_HEADER) ?? ''
  return {
    data: parseDataVersion(header(DATA_VERSION_HEADER)),
    dataWindow: days === 'all' ? days : /^\d{1,6}$/.test(days) ? Number(days) : null,
    extensions: (header(EXTENSIONS_HEADER) ?? '').split(/, ?/).filter((name) => name !== ''),
  }
}

/** Joins the facts of two answers: a refusal reports less, and answers come in any order. */
export function joinOwnService(before: OwnService | null, after: OwnService | null): OwnService | null {
  if (!before || !after) return after
  const isLater = before.data === null || (after.data !== null && isLaterVersion(after.data, before.data))
  return {
    ...after,
    data: isLater ? after.data : before.data,
    dataWindow: after.dataWindow ?? before.dataWindow,
  }
}
