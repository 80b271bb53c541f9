/** When the page begins, ISO 8601 UTC; absent where the address names no moment. */
export type ShiftSearch = { since?: string | undefined }

const MOMENT = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/

/** By hand and not by a schema: it is in every page's first script. */
export function readShiftSearch({ since }: Record<string, unknown>): ShiftSearch {
  const isMoment = typeof since === 'string' && MOMENT.test(since) && !Number.isNaN(Date.parse(since))
  return { since: isMoment ? new Date(since).toISOString() : undefined }
}
