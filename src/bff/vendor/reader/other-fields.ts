import type { OtherField } from '#contract/bff/other-field.ts'
import { membersOf, readText } from './read-value.ts'

export const FIELDS_MAX_COUNT = 200
const VALUE_MAX_LENGTH = 4_096
const PATH_MAX_LENGTH = 256

/** Every value below a field that says anything, each with its path: `meta.tags[0]`. */
export function otherFields(path: string, value: unknown): OtherField[] {
  const found: OtherField[] = []
  const visit = (at: string, inner: unknown): void => {
    if (found.length >= FIELDS_MAX_COUNT) return
    const children = Array.isArray(inner)
      ? inner.map((item, index) => [`${at}[${index}]`, item] as const)
      : [...(membersOf(inner) ?? [])].map(([name, item]) => [`${at}.${name}`, item] as const)
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
