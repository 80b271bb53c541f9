import { countOf } from './count.ts'

/** The unit of figures, and the rows of a feed. */
export type Rows = 'cases' | 'claims'

/** A figure of the BFF: claims, and cases where they were requested. */
export type CountedRows<Count> = { count: Count; cases?: Count | undefined }

/** Pages show the cases of a figure, where it has them. */
export function shownCount<Count>({ count, cases }: CountedRows<Count>): Count {
  return cases === undefined ? count : cases
}

type Counts = { count: number; previous: number }

/** The same of a comparison. */
export function shownComparison<Compared extends Counts & { cases?: Counts | undefined }>(
  compared: Compared | null,
): Compared | null {
  return compared?.cases ? { ...compared, ...compared.cases } : compared
}

/** The word for what a figure counts. */
export function rowNoun({ cases }: { cases?: unknown }): 'case' | 'claim' {
  return cases === undefined ? 'claim' : 'case'
}

/** The feed's rows for the same count. */
export function rowsOf({ cases }: { cases?: unknown }): { rows?: 'claims' } {
  return cases === undefined ? { rows: 'claims' } : {}
}

/** `563 cases`, `620 claims` */
export function shownOf(figure: CountedRows<number | null>): string {
  return countOf(shownCount(figure), rowNoun(figure))
}

/** The address leaves out the default. */
export function rowsParam(rows: Rows | undefined): 'claims' | undefined {
  return rows === 'claims' ? rows : undefined
}
