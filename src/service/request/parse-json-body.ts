import type { HonoRequest } from 'hono'
import type * as z from 'zod/mini'
import { ServiceError } from '#service/errors/service-error.ts'
import { describeIssues } from './describe-issues.ts'

/** The JSON body of a request, as its schema reads it. */
export async function parseJsonBody<Schema extends z.ZodMiniObject>(
  request: HonoRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const [mediaType = ''] = (request.header('content-type') ?? '').split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw new ServiceError(415, 'The body must be JSON: send Content-Type application/json', {
      headers: { accept: 'application/json' },
    })
  }
  const input = parseJson(await request.arrayBuffer())
  const { data, error } = schema.safeParse(input)
  if (!error) return data

  const permitted = Object.keys(schema.shape)
  throw new ServiceError(400, describeIssues(error.issues, input, { kind: 'field', permitted }))
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) {
      throw new ServiceError(400, 'Malformed JSON body')
    }
    throw error
  }
}
