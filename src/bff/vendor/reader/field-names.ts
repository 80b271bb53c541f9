/** The names that each member of a record can have in an answer, the likeliest first, all folded. */
export type FieldNames<Member extends string> = Readonly<Record<Member, readonly string[]>>

/** An operator's own names: by member, the name in the answer. A dot leads into an object: `stats.hits`. */
export type Pins = Readonly<Record<string, string | undefined>>

/** `threat_actor`, `threatActor` and `Threat-Actor` are one name. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** A pinned name comes first for its member, and is no other member's. */
export function pinNames<Member extends string>(
  names: FieldNames<Member>,
  pins: Pins | undefined,
): FieldNames<Member> {
  const pinned = new Map<string, string>()
  for (const [member, name] of Object.entries(pins ?? {}))
    if (name !== undefined) pinned.set(member, foldName(name))
  const taken = new Set(pinned.values())
  const result: Record<Member, readonly string[]> = { ...names }
  for (const member in names) {
    const others = names[member].filter((name) => !taken.has(name))
    const pin = pinned.get(member)
    result[member] = pin === undefined ? others : [pin, ...others]
  }
  return result
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
