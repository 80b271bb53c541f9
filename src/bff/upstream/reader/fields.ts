import type { OtherField } from '#contract/bff/threat.ts'
import { foldName } from './field-names.ts'
import { entriesOf, membersOf, type ReadValue, readText } from './read-value.ts'

const FIELDS_MAX_COUNT = 200
const VALUE_MAX_LENGTH = 4_096
const PATH_MAX_LENGTH = 256
/** No honest record has more: the rest of a larger one is not looked at. */
const MEMBERS_MAX_COUNT = 2_000

type Field = {
  name: string
  value: unknown
  isTaken: boolean
  inner: Fields | null
  /** The field whose inner object it stands in. */
  parent: Field | null
}

/**
 * The members of one record, found by any of several names in any spelling: `threat_actor`, `threatActor` and
 * `Threat-Actor` are one name. Remembers what was taken, so that the rest can be shown too.
 */
export class Fields {
  readonly #fields = new Map<string, Field>()
  readonly #doubles: Field[] = []
  /** Members of inner objects: by both names joined, and by their own. */
  readonly #joined = new Map<string, Field[]>()
  readonly #hoisted = new Map<string, Field[]>()

  private constructor(members: ReadonlyMap<string, unknown>, parent: Field | null) {
    for (const [name, value] of [...members].slice(0, MEMBERS_MAX_COUNT)) {
      const field = { name, value, isTaken: false, inner: null, parent }
      const key = foldName(name)
      if (this.#fields.has(key)) this.#doubles.push(field)
      else this.#fields.set(key, field)
    }
  }

  /** Null when the value is no object. */
  static of(value: unknown): Fields | null {
    return Fields.#within(value, null)
  }

  static #within(value: unknown, parent: Field | null): Fields | null {
    const members = membersOf(value)
    return members && new Fields(members, parent)
  }

  /**
   * Lets the members of inner objects be found too, after the record's own: by their name, or by both names joined
   * (`source.url` is `sourceurl`). Those of a guarded object are found by both names alone.
   */
  hoist(isGuarded: (name: string) => boolean = () => false): void {
    let count = 0
    for (const [outerName, field] of this.#fields) {
      const members = count < MEMBERS_MAX_COUNT ? this.#open(field) : null
      count += members?.size ?? 0
      for (const [name, inner] of members ? members.#fields : []) {
        if (!isGuarded(outerName)) add(this.#hoisted, name, inner)
        add(this.#joined, outerName + name, inner)
      }
    }
  }

  /** The first of the named fields that can be read; one that cannot is left for the rest. */
  take<T>(names: readonly string[], read: ReadValue<T>): T | null {
    for (const field of this.#find(names)) {
      if (!isFree(field)) continue
      const value = read(field.value)
      if (value === null) continue
      field.isTaken = true
      return value
    }
    return null
  }

  /** Does the same, but leaves the field for `rest`. */
  peek<T>(names: readonly string[], read: ReadValue<T>): T | null {
    const values = this.#find(names).map((field) => (isFree(field) ? read(field.value) : null))
    return values.find((value) => value !== null) ?? null
  }

  /** The one field whose value can be read, whatever its name; null when there are none or several. */
  takeOnly<T>(read: (value: unknown, name: string) => T | null): T | null {
    const all = new Map(this.#doubles.map((field) => [field, foldName(field.name)]))
    for (const [name, field] of this.#fields) all.set(field, name)
    for (const [name, fields] of this.#joined) for (const field of fields) all.set(field, name)
    const found = [...all].flatMap(([field, name]) => {
      const value = isFree(field) ? read(field.value, name) : null
      return value === null ? [] : [{ field, value }]
    })
    const [first, second] = found
    if (!first || second) return null
    first.field.isTaken = true
    return first.value
  }

  /** The first of the named fields that is an object. What is not taken from it stays in the rest. */
  open(names: readonly string[]): Fields | null {
    for (const field of this.#find(names)) {
      const inner = field.isTaken ? null : this.#open(field)
      if (inner) return inner
    }
    return null
  }

  /** Returns the fields that nobody took, with their paths, up to a readable size. */
  rest(path = ''): OtherField[] {
    const found: OtherField[] = []
    for (const { name, value, isTaken, inner } of [...this.#fields.values(), ...this.#doubles]) {
      if (isTaken) continue
      if (found.length >= FIELDS_MAX_COUNT) break
      const fieldPath = path ? `${path}.${name}` : name
      found.push(...(inner ? inner.rest(fieldPath) : otherFields(fieldPath, value)))
    }
    return found.slice(0, FIELDS_MAX_COUNT)
  }

  get size(): number {
    return this.#fields.size
  }

  /** Returns true if any field was taken. */
  get isTouched(): boolean {
    return [...this.#fields.values()].some((field) => field.isTaken || field.inner?.isTouched)
  }

  #open(field: Field): Fields | null {
    field.inner ??= Fields.#within(field.value, field)
    return field.inner
  }

  /** Those of the record first, as nobody knows what else an inner object is about. */
  #find(names: readonly string[]): Field[] {
    const named = names.flatMap((name) => [this.#fields.get(name) ?? [], this.#joined.get(name) ?? []].flat())
    return [...named, ...names.flatMap((name) => this.#hoisted.get(name) ?? [])]
  }
}

function add(fieldsByName: Map<string, Field[]>, name: string, field: Field): void {
  const fields = fieldsByName.get(name)
  if (fields) fields.push(field)
  else fieldsByName.set(name, [field])
}

/** A field that was taken whole gives no part away, and a field whose part was taken is not taken whole. */
function isFree({ isTaken, parent, inner }: Field): boolean {
  return !isTaken && !parent?.isTaken && !inner?.isTouched
}

/** Every value below a field that says anything, each with its path: `meta.tags[0]`. */
function otherFields(path: string, value: unknown): OtherField[] {
  const found: OtherField[] = []
  const visit = (at: string, inner: unknown): void => {
    if (found.length >= FIELDS_MAX_COUNT) return
    const children = Array.isArray(inner)
      ? inner.map((item, index) => [`${at}[${index}]`, item] as const)
      : entriesOf(inner).map(([name, item]) => [`${at}.${name}`, item] as const)
    for (const [childPath, child] of children.slice(0, FIELDS_MAX_COUNT)) visit(childPath, child)
    const text = readText(inner)
    if (text !== null) found.push({ path: bound(at, PATH_MAX_LENGTH), value: bound(text, VALUE_MAX_LENGTH) })
  }
  visit(path, value)
  return found
}

function bound(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll('\0', '').toWellFormed()
}
