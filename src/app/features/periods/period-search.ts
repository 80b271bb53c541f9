import type { SearchMiddleware } from '@tanstack/react-router'
import type { RowKind } from '#contract/bff/arrangement.ts'

/** The part of a page's URL that says what its figures count, and of which time. */
export type PeriodSearch = {
  /** As it was given, so that the page can say what is wrong. */
  period?: string | undefined
  /** Absent for cases. */
  rows?: RowKind | undefined
}

const MAX_LENGTH = 20

/** By hand and not by a schema: it is in every page's first script. */
export function readPeriodSearch({ period, rows }: Record<string, unknown>): PeriodSearch {
  return {
    period: typeof period === 'string' && period !== '' ? period.slice(0, MAX_LENGTH) : undefined,
    rows: rows === 'claims' || rows === 'cases' ? rows : undefined,
  }
}

/** Links from page to page keep what figures count, unless they name it. The address leaves out the default. */
export const carryRows: SearchMiddleware<PeriodSearch> = ({ search, next }) => {
  const to = next(search)
  return { ...to, rows: (to.rows ?? search.rows) === 'claims' ? 'claims' : undefined }
}
