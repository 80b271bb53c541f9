import type { HonoRequest } from 'hono'
import type * as z from 'zod/mini'
import { ServiceError } from '#service/errors/service-error.ts'
import { parseInput } from './parse-query.ts'

const BODY_MAX_BYTES = 65_536

/** The JSON body of a request, as its schema reads it. */
export async function parseJsonBody<Schema extends z.ZodMiniObject>(
  request: HonoRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  requirePlainJson(request)
  return parseInput(schema, parseJson(await readBytes(request.raw)), 'field')
}

/** RFC 8259 has JSON in UTF-8; a compressed body would have to be counted twice. */
function requirePlainJson(request: HonoRequest): void {
  const pieces = (request.header('content-type') ?? '').toLowerCase().split(';')
  const [mediaType, ...parameters] = pieces.map((piece) => piece.trim())
  const isUtf8 = parameters.every((each) => !each.startsWith('charset') || /^charset="?utf-8"?$/.test(each))
  if (mediaType === 'application/json' && isUtf8 && !request.header('content-encoding')) return
  throw new ServiceError(
    415,
    'The body must be JSON in UTF-8, not compressed: send Content-Type application/json',
    { headers: { accept: 'application/json' } },
  )
}

/** Counted as they come: a length may be missing. */
async function readBytes({ body, headers }: Request): Promise<Uint8Array> {
  const tooLarge = new ServiceError(413, `The body must be ${BODY_MAX_BYTES} bytes or fewer`)
  if (Number(headers.get('content-length')) > BODY_MAX_BYTES) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > BODY_MAX_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw new ServiceError(400, 'The body did not arrive whole')
  }
  if (size > BODY_MAX_BYTES) throw tooLarge
  return Buffer.concat(chunks)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new ServiceError(400, 'Malformed JSON body')
    throw error
  }
}
