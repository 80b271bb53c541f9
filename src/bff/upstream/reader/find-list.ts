import { foldName } from './field-names.ts'
import { ENVELOPE_NAMES } from './open-envelope.ts'
import { entriesOf, membersOf } from './read-value.ts'

type FoundList = {
  list: unknown[]
  /** The object that holds the list; the list itself when it is bare. */
  container: unknown
}

/** The list of an answer: bare, under one of these names in any spelling, one envelope deeper, or the only one there is. */
export function findList(body: unknown, names: readonly string[]): FoundList | null {
  if (Array.isArray(body)) return { list: body, container: body }
  const inner = valuesAt(body, [...names, ...ENVELOPE_NAMES])
  return (
    listIn(body, valuesAt(body, names)) ??
    firstFound(inner, (value) => listIn(value, valuesAt(value, names))) ??
    firstFound([body, ...inner], (value) => listIn(value, [onlyListIn(value)]))
  )
}

function listIn(container: unknown, values: readonly unknown[]): FoundList | null {
  const list = values.find(Array.isArray)
  return list ? { list, container } : null
}

function firstFound(
  values: readonly unknown[],
  find: (value: unknown) => FoundList | null,
): FoundList | null {
  return values.map(find).find((found) => found !== null) ?? null
}

/** The one list of objects, whatever its name. */
function onlyListIn(value: unknown): unknown[] | null {
  const [only, ...others] = entriesOf(value)
    .map(([, member]) => member)
    .filter(Array.isArray)
  return others.length === 0 && only?.some((item: unknown) => membersOf(item)) ? only : null
}

function valuesAt(value: unknown, names: readonly string[]): unknown[] {
  const byName = new Map(entriesOf(value).map(([name, member]) => [foldName(name), member]))
  return names.map((name) => byName.get(name))
}
