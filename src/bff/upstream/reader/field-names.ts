/** The names that each member of a record can have in an answer, the likeliest first, all folded. */
export type FieldNames<Member extends string> = Readonly<Record<Member, readonly string[]>>

/** `threat_actor`, `threatActor` and `Threat-Actor` are one name. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** A table of `usual-names.json` as readers look names up: folded, and each choice in braces for itself. */
export function foldNames<Member extends string>(
  table: Readonly<Record<Member, readonly string[]>>,
): FieldNames<Member> {
  const result: Record<Member, readonly string[]> = { ...table }
  for (const member in table) result[member] = expandNames(table[member])
  return result
}

/** `{latest,last}_{seen,}` is `latestseen`, `latest`, `lastseen` and `last`. */
export function expandNames(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(expand))]
}

function expand(name: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name) ?? []
  if (choices === undefined) return [foldName(name)]
  return choices.split(',').flatMap((choice) => expand(before + choice + after))
}
