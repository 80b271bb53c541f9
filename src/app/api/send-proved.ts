import type { BffMethod, BffPath } from '#contract/bff/endpoints.ts'
import { ApiError } from './api-error.ts'
import type { Schema } from './read-json.ts'
import type { RequestOptions } from './request.ts'
import { sendJson } from './send-json.ts'

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

type SendMethod = Exclude<BffMethod, 'GET'>

/**
 * Sends a change that may need a fresh proof. If the server requires one, a dialog requests it and the change is
 * sent again. The form keeps its input meanwhile.
 */
export async function sendProved<T, Method extends SendMethod = 'POST'>(
  path: BffPath<Method>,
  schema: Schema<T>,
  options: RequestOptions & { method?: Method; body?: unknown },
): Promise<T> {
  try {
    return await sendJson(path, schema, options)
  } catch (error) {
    const needsProof = error instanceof ApiError && error.problem.code === 'fresh_proof_needed'
    if (!needsProof || !askForProof || !(await askForProof())) throw error
    return sendJson(path, schema, options)
  }
}
