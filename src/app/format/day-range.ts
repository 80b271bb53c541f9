type DayRange = { from?: string | undefined; to?: string | undefined }

/** Returns true if the first day is after the last. */
export function isCrossed({ from, to }: DayRange): boolean {
  return from !== undefined && to !== undefined && from > to
}

/** Returns the range with its days in order: crossed ones are read the other way round. */
export function inOrder<Range extends DayRange>(range: Range): Range {
  return isCrossed(range) ? { ...range, from: range.to, to: range.from } : range
}
