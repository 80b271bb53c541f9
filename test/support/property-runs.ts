import fc from 'fast-check'

/** So many examples, the same each time; no more than a run allows to all, as one of mutants does. */
export function propertyRuns(numRuns: number): { seed: number; numRuns: number } {
  return { seed: 2026, numRuns: Math.min(numRuns, fc.readConfigureGlobal().numRuns ?? numRuns) }
}
