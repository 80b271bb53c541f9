type WithCases = { cases?: number | null | undefined; concernCases?: number | null | undefined }

/** The figures of an actor or a country in cases; undefined where claims were counted. */
export function casesOf({ cases, concernCases }: WithCases) {
  return cases === undefined ? undefined : { concerns: concernCases ?? null, all: cases }
}
