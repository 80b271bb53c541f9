import type { BffMethod, BffPath } from '#contract/bff/endpoints.ts'
import { ApiError } from './api-error.ts'
import { type RequestOptions, readJson, request, type Schema } from './request.ts'

type SendMethod = Exclude<BffMethod, 'GET'>
type SendOptions<Method> = RequestOptions & { method?: Method; body?: unknown }

/** Sends JSON to `/bff/<path>` and parses the answer; an empty answer is undefined to the schema. */
export async function sendJson<T, Method extends SendMethod = 'POST'>(
  path: BffPath<Method>,
  schema: Schema<T>,
  { method, ...options }: SendOptions<Method>,
): Promise<T> {
  return readJson(await request(method ?? 'POST', `/bff/${path}`, options), schema)
}

/** Answers whether a person has proven to be there. */
type AskForProof = () => Promise<boolean>
let askForProof: AskForProof | null = null

/** Names who asks for proofs while a page is open; what it answers ends that. */
export function answerProofs(ask: AskForProof): () => void {
  askForProof = ask
  return () => {
    if (askForProof === ask) askForProof = null
  }
}

/**
 * Sends a change that may need a fresh proof. If the server requires one, a dialog requests it and the change is
 * sent again. The form keeps its input meanwhile.
 */
export async function sendProved<T, Method extends SendMethod = 'POST'>(
  path: BffPath<Method>,
  schema: Schema<T>,
  options: SendOptions<Method>,
): Promise<T> {
  try {
    return await sendJson(path, schema, options)
  } catch (error) {
    const needsProof = error instanceof ApiError && error.problem.code === 'fresh_proof_needed'
    if (!needsProof || !askForProof || !(await askForProof())) throw error
    return sendJson(path, schema, options)
  }
}
