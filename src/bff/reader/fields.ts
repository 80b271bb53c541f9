import { type OtherField, otherFields } from './other-fields.ts'
import { membersOf, type ReadValue } from './read-value.ts'

type Field = { name: string; value: unknown; isTaken: boolean; inner: Fields | null }

/**
 * The members of one record, found by any of several names in any spelling: `threat_actor`, `threatActor` and
 * `Threat-Actor` are one name. Remembers what was taken, so that the rest can be shown too.
 */
export class Fields {
  readonly #fields = new Map<string, Field>()
  readonly #doubles: Field[] = []

  private constructor(members: ReadonlyMap<string, unknown>) {
    for (const [name, value] of members) {
      const field = { name, value, isTaken: false, inner: null }
      const key = foldName(name)
      if (this.#fields.has(key)) this.#doubles.push(field)
      else this.#fields.set(key, field)
    }
  }

  /** Null when the value is no object. */
  static of(value: unknown): Fields | null {
    const members = membersOf(value)
    return members && new Fields(members)
  }

  /** The first of the named fields that can be read; one that cannot is left for the rest. */
  take<T>(names: readonly string[], read: ReadValue<T>): T | null {
    for (const name of names) {
      const field = this.#fields.get(name)
      const value = field ? read(field.value) : null
      if (field && value !== null) {
        field.isTaken = true
        return value
      }
    }
    return null
  }

  /** The first of the named fields that is an object. What is not taken from it stays in the rest. */
  open(names: readonly string[]): Fields | null {
    for (const name of names) {
      const field = this.#fields.get(name)
      if (!field) continue
      field.inner ??= Fields.of(field.value)
      if (field.inner) return field.inner
    }
    return null
  }

  /** What nobody took, and where it stood. */
  rest(path = ''): OtherField[] {
    return [...this.#fields.values(), ...this.#doubles].flatMap(({ name, value, isTaken, inner }) => {
      if (isTaken) return []
      const fieldPath = path ? `${path}.${name}` : name
      return inner ? inner.rest(fieldPath) : otherFields(fieldPath, value)
    })
  }
}

/** Names to look for must be written like this. */
function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
