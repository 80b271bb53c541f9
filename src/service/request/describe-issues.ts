import type * as z from 'zod/mini'

/** The message names the input by this word. */
export type InputKind = 'parameter' | 'field'

const ISSUES_MAX_COUNT = 5
const NAME_MAX_LENGTH = 64

/** Says in one line what is wrong with an input, naming each parameter or field and what is permitted. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  { kind, permitted }: { kind: InputKind; permitted: readonly string[] },
): string {
  const sentences = issues.slice(0, ISSUES_MAX_COUNT).map((issue) => {
    const name = nameOf(issue.path)
    if (issue.code === 'unrecognized_keys') {
      const unknown = issue.keys.map((key) => `"${nameOf([...issue.path, key])}"`).slice(0, ISSUES_MAX_COUNT)
      const hint = issue.path.length > 0 ? '' : `; permitted: ${permitted.join(', ') || 'none'}`
      return `Unknown ${kind} ${unknown.join(', ')}${hint}`
    }
    if (name === '') return `The body ${issue.message}`
    return valueAt(input, issue.path) === undefined
      ? `Missing ${kind} "${name}": ${issue.message}`
      : `Invalid ${kind} "${name}": ${issue.message}`
  })
  return [...new Set(sentences)].join('. ')
}

/** `notifications.email[0]` */
function nameOf(path: readonly PropertyKey[]): string {
  let name = ''
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`
    else name += name === '' ? String(step) : `.${String(step)}`
  }
  return name.length <= NAME_MAX_LENGTH ? name : `${name.slice(0, NAME_MAX_LENGTH).toWellFormed()}…`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    input,
  )
}
