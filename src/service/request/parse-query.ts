import type * as z from 'zod/mini'
import { invalidParameter, ServiceError } from '#service/errors/service-error.ts'
import { describeIssues } from './describe-issues.ts'

const PARAMETERS_MAX_COUNT = 32

/** The query of a request's URL, as its schema reads it. Unknown, repeated and ill-encoded parameters are mistakes. */
export function parseQuery<Schema extends z.ZodMiniObject>(url: string, schema: Schema): z.output<Schema> {
  const input = readParameters(url)
  const { data, error } = schema.safeParse(input)
  if (!error) return data

  const permitted = Object.keys(schema.shape)
  throw new ServiceError(400, describeIssues(error.issues, input, { kind: 'parameter', permitted }))
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
