import * as z from 'zod/mini'
import { CURSOR_MAX_LENGTH, NAMED_GROUPS_MAX_COUNT, SEARCH_MAX_LENGTH } from '#contract/bff/threat-list.ts'
import { ProblemError } from './problem-error.ts'
import type { Fields } from './route.ts'

const BODY_MAX_BYTES = 64 * 1024
/** Together with the time of a head, this is no more than the server gives a whole request. */
const BODY_MAX_MS = 5_000
const QUERY_MAX_COUNT = 32
/** Longer lists, which have a bound of their own. */
const LONG_LISTS: Readonly<Record<string, number>> = { closed: NAMED_GROUPS_MAX_COUNT }
/** Lists of earlier releases had this parameter: bookmarks and scripts that name it still work. */
const RETIRED_PARAMETER = 'set'
const VALUE_MAX_LENGTH = 512
/** Longer ones have a schema that says so. */
const LONG_MAX_LENGTHS: Readonly<Record<string, number>> = { cursor: CURSOR_MAX_LENGTH, q: SEARCH_MAX_LENGTH }

const { localeError } = z.locales.en()

/** Parses with messages for people; what does not fit is the caller's mistake, reported field by field. */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = z.safeParse(schema, input, { error: localeError })
  if (result.success) return result.data
  throw badRequest('Correct the fields named here.', { fields: result.error.issues.flatMap(fieldsOf) })
}

/** A query as its schema wants it: lists from repeated names, every other name once. Unknown names are refused. */
export function readQuery(
  search: URLSearchParams,
  schema: Fields | undefined,
): Record<string, string | string[]> {
  const counted = [...search.keys()].filter((name) => !Object.hasOwn(LONG_LISTS, name))
  if (counted.length > QUERY_MAX_COUNT) throw badRequest(`Send at most ${QUERY_MAX_COUNT} query parameters.`)
  const fields = new Map(Object.entries(schema?.shape ?? {}))
  const faults = [...new Set(search.keys())].flatMap((name) => {
    const reason = queryFault(name, search.getAll(name), fields.get(name))
    return reason ? [{ name: name.slice(0, VALUE_MAX_LENGTH), reason }] : []
  })
  if (faults.length > 0) throw badRequest('Correct the query parameters named here.', { fields: faults })

  return Object.fromEntries(
    [...fields].flatMap(([name, field]) => {
      const [first, ...others] = search.getAll(name)
      if (first === undefined) return []
      return [[name, isList(field) ? [first, ...others] : first]]
    }),
  )
}

/** A JSON body; undefined when there is none. */
export async function readJson(
  request: Request,
  {
    type = 'application/json',
    maxBytes = BODY_MAX_BYTES,
  }: { type?: string; maxBytes?: number | undefined } = {},
): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes)
  if (bytes.byteLength === 0) return undefined
  const [sentType, ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(/ *; */)
  const isUtf8 = parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter))
  if (sentType !== type || !isUtf8 || request.headers.has('content-encoding'))
    throw badRequest(`Send the body as ${type}, in UTF-8 and not compressed.`, { status: 415 })
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ProblemError({ code: 'bad_request', detail: 'The body is not valid JSON in UTF-8.', cause })
  }
}

/** A form as browsers and servers post it; empty for any other body. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readBytes(request, BODY_MAX_BYTES)
  const [sentType] = (request.headers.get('content-type') ?? '').toLowerCase().split(/ *; */)
  const isForm = sentType === 'application/x-www-form-urlencoded'
  return new URLSearchParams(isForm ? new TextDecoder().decode(bytes) : '')
}

async function readBytes({ body, headers }: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = badRequest(`Send at most ${maxBytes} bytes.`, { status: 413 })
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  const collected = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge
      chunks.push(chunk)
    },
  })
  const signal = AbortSignal.timeout(BODY_MAX_MS)
  await body?.pipeTo(collected, { signal }).catch((error: unknown) => {
    if (error === tooLarge) throw tooLarge
    throw signal.aborted ? tooSlow() : badRequest('The body did not arrive whole.')
  })
  return Buffer.concat(chunks)
}

function queryFault(name: string, values: readonly string[], field: Field | undefined): string | null {
  if (!field) return name === RETIRED_PARAMETER ? null : 'There is no such parameter.'
  if (values.length > 1 && !isList(field)) return 'Give it once.'
  const maxCount = LONG_LISTS[name] ?? QUERY_MAX_COUNT
  if (values.length > maxCount) return `Give it at most ${maxCount} times.`
  const maxLength = LONG_MAX_LENGTHS[name] ?? VALUE_MAX_LENGTH
  if (values.some((value) => value.length > maxLength)) return `Use at most ${maxLength} characters.`
  return values.some((value) => value.includes('\0')) ? 'It contains a NUL character.' : null
}

type Field = z.core.$ZodType

function isList(field: Field): boolean {
  if (field instanceof z.ZodMiniArray) return true
  const isWrapper = field instanceof z.ZodMiniOptional || field instanceof z.ZodMiniDefault
  return isWrapper && isList(field.def.innerType)
}

function fieldsOf(issue: z.core.$ZodIssue): { name: string; reason: string }[] {
  if (issue.code !== 'unrecognized_keys') return [{ name: issue.path.join('.'), reason: issue.message }]
  return issue.keys.map((key) => ({
    name: [...issue.path, key].join('.'),
    reason: 'There is no such field.',
  }))
}

function tooSlow(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    status: 408,
    title: 'The request did not arrive in time',
    detail: `Send the whole body within ${BODY_MAX_MS / 1000} seconds.`,
    // The rest of this body must not be taken for the next request.
    headers: { connection: 'close' },
  })
}

function badRequest(
  detail: string,
  { fields, status }: { fields?: { name: string; reason: string }[]; status?: number } = {},
): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail,
    ...(fields && { fields }),
    ...(status && { status }),
  })
}
