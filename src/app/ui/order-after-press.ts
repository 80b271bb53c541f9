/** Returns the sort order after a press on the heading of `column`: sorted by it, or reversed if it already is. */
export function orderAfterPress(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  column: string,
  { unlessNamed }: { unlessNamed: string },
): 'reverse' | undefined {
  return (sort ?? unlessNamed) === column && order !== 'reverse' ? 'reverse' : undefined
}
