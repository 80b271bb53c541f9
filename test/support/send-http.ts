import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { createConnection } from 'node:net'

type HttpRequest = { method?: string; headers?: Record<string, string>; body?: string }
export type HttpAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/** One request as it stands, with no header added but Host; the answer's bytes as they came. */
export async function sendHttp(
  url: string,
  { method = 'GET', headers = {}, body }: HttpRequest = {},
): Promise<HttpAnswer> {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body)
  return readAnswer(sent)
}

/** Sends a request's head, which the server has taken up when this resolves; its body goes with `finish`. */
export async function beginHttp(
  url: string,
  { method = 'POST', headers = {}, body = '' }: HttpRequest,
): Promise<{ answer: Promise<HttpAnswer>; finish(): Promise<HttpAnswer> }> {
  const length = String(Buffer.byteLength(body))
  const sent = request(url, {
    method,
    headers: { ...headers, 'content-length': length, expect: '100-continue' },
    agent: false,
  })
  const isTaken = once(sent, 'continue')
  const answer = readAnswer(sent)
  sent.flushHeaders()
  await isTaken
  return {
    answer,
    finish() {
      sent.end(body)
      return answer
    },
  }
}

async function readAnswer(sent: ClientRequest): Promise<HttpAnswer> {
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const { rawHeaders } = response
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      rawHeaders.flatMap((name: string, index: number) =>
        index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]]] : [],
      ),
    ),
    body: Buffer.concat(chunks),
  }
}

/** Bytes on a socket, and all that comes back until the server closes it. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port })
  socket.write(bytes)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}
