import type * as z from 'zod/mini'
import { invalidParameter, ServiceError } from '#service/errors/service-error.ts'

const PARAMETERS_MAX_COUNT = 32

/** The query of a request's URL, as its schema reads it. Unknown, repeated and ill-encoded parameters are mistakes. */
export function parseQuery<Schema extends z.ZodMiniObject>(url: string, schema: Schema): z.output<Schema> {
  return parseInput(schema, readParameters(url), 'parameter')
}

/** Throws a `ServiceError` that names each parameter or field that is wrong, and what is permitted. */
export function parseInput<Schema extends z.ZodMiniObject>(
  schema: Schema,
  input: unknown,
  kind: InputKind,
): z.output<Schema> {
  const { data, error } = schema.safeParse(input)
  if (!error) return data

  const permitted = Object.keys(schema.shape)
  throw new ServiceError(400, describeIssues(error.issues, input, { kind, permitted }))
}

/** Refuses all parameters, for routes that take none. */
export function refuseParameters(url: string): void {
  const [name] = Object.keys(readParameters(url))
  if (name !== undefined) throw new ServiceError(400, `Unknown parameter "${name}"; permitted: none`)
}

function readParameters(url: string): Record<string, string> {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? ''
  const pieces = query.split('&').filter((piece) => piece !== '')
  if (pieces.length > PARAMETERS_MAX_COUNT) throw new ServiceError(400, 'Too many parameters')

  const parameters = new Map<string, string>()
  for (const piece of pieces) {
    const [name = '', ...rest] = piece.split('=')
    const decodedName = decode(name)
    if (parameters.has(decodedName)) throw invalidParameter(decodedName, 'must not be repeated')
    parameters.set(decodedName, decode(rest.join('=')))
  }
  return Object.fromEntries(parameters)
}

/** Strict where URLSearchParams puts U+FFFD. */
function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\0')) return decoded
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw new ServiceError(400, 'Parameters must be percent-encoded UTF-8 without NUL')
}

/** The message names the input by this word. */
type InputKind = 'parameter' | 'field'

const ISSUES_MAX_COUNT = 5
const NAME_MAX_LENGTH = 64

/** Says in one line what is wrong with an input, naming each parameter or field and what is permitted. */
function describeIssues(
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
