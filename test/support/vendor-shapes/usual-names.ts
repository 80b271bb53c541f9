/** The names that vendors are known to use, one test for each: to lose one is to lose a vendor's figures. */
export function named<Member extends string>(names: Readonly<Record<Member, string>>) {
  const rows = Object.entries<string>(names)
  return rows.flatMap(([member, listed]) => listed.split(' ').map((name) => ({ member, name })))
}

/** Every joining of a word of each list; `-` is none. */
export function join(...lists: readonly string[]): string {
  const words = lists.map((list) => list.split(' ').map((word) => (word === '-' ? '' : `_${word}`)))
  return words
    .reduce((starts, ends) => starts.flatMap((start) => ends.map((end) => start + end)))
    .map((name) => name.replace(/^_/, ''))
    .join(' ')
}
