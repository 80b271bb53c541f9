/** What a press on the heading of `column` makes of an address: sorted by it, or the other way round if it is already. */
export function orderAfterPress(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  column: string,
  { unlessNamed }: { unlessNamed: string },
): 'reverse' | undefined {
  return (sort ?? unlessNamed) === column && order !== 'reverse' ? 'reverse' : undefined
}
