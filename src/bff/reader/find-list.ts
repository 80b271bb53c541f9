import { foldName } from './field-names.ts'
import { membersOf } from './read-value.ts'

/** The list of an answer: bare, under one of these names in any spelling, one envelope deeper, or the only one there is. */
export function findList(body: unknown, names: readonly string[]): unknown[] | null {
  if (Array.isArray(body)) return body
  const values = valuesAt(body, names)
  return (
    values.find(Array.isArray) ??
    values.flatMap((value) => valuesAt(value, names)).find(Array.isArray) ??
    [body, ...values].map(onlyListIn).find((list) => list !== null) ??
    null
  )
}

/** The one list of objects, whatever its name. */
function onlyListIn(value: unknown): unknown[] | null {
  const [only, ...others] = [...(membersOf(value)?.values() ?? [])].filter(Array.isArray)
  return others.length === 0 && only?.some((item: unknown) => membersOf(item)) ? only : null
}

function valuesAt(value: unknown, names: readonly string[]): unknown[] {
  const byName = new Map([...(membersOf(value) ?? [])].map(([name, member]) => [foldName(name), member]))
  return names.map((name) => byName.get(name))
}
