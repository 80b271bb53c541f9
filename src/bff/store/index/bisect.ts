/** The first index from which on a condition holds (binary search); `count` where it never does. */
export function bisect(count: number, isSo: (index: number) => boolean): number {
  let from = 0
  let to = count
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isSo(middle)) to = middle
    else from = middle + 1
  }
  return from
}
