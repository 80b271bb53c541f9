/** The part of a page's URL that says what its figures are of: as it was given, so that the page can say what is wrong. */
export type PeriodSearch = { period?: string | undefined }

const MAX_LENGTH = 20

/** By hand and not by a schema: it is in every page's first script. */
export function readPeriodSearch({ period }: Record<string, unknown>): PeriodSearch {
  return { period: typeof period === 'string' && period !== '' ? period.slice(0, MAX_LENGTH) : undefined }
}
