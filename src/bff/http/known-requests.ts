import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from './representation.ts'
import { writeReply } from './write-reply.ts'

const MAX_COUNT = 2_000
const MAX_BYTES = 4_096
const HEAD_END = Buffer.from('\r\n\r\n')

/** What the same request would be answered now; undefined where only the app can tell. */
export type Replay = () => Reply | undefined

type Connection = {
  /** The bytes in the parser's hands. */
  chunk: Buffer | null
  /** Requests that those bytes have turned out to be. */
  requests: number
  /** Whether the parser has seen a request: it takes a connection without one for a stalled client. */
  isOpened: boolean
  /** Answers of the app that are still under way. */
  pending: number
  /** Whether every chunk so far was exactly one whole request without a body, so that the next byte begins another. */
  isAligned: boolean
}

/**
 * Remembers, by its very bytes, what a request that the fast lane has served means. Where one connection's next bytes
 * are the same from first to last, Node's parser and our guards would find the same in them, and need not look again;
 * whether the session and the answer still stand is asked anew each time. Whatever else comes goes to the parser.
 */
export class KnownRequests {
  readonly #replays = new Map<string, Replay>()
  readonly #connections = new WeakMap<Socket, Connection>()

  /** Call it once the server has its own listeners. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#watchConnection(socket))
    server.prependListener('request', ({ headers, socket }, response) => {
      const connection = this.#connections.get(socket)
      if (!connection) return
      if (hasBody(headers)) connection.isAligned = false
      connection.requests += 1
      connection.isOpened = true
      connection.pending += 1
      response.once('close', () => {
        connection.pending -= 1
      })
    })
  }

  /** To be called while a request is being handled. */
  remember(request: IncomingMessage, replay: Replay): void {
    const { headers, httpVersion, socket } = request
    const chunk = this.#connections.get(socket)?.chunk
    if (!chunk || !isOneHead(chunk) || chunk.length > MAX_BYTES || httpVersion !== '1.1') return
    if (hasBody(headers)) return
    if (headers.connection !== undefined && headers.connection !== 'keep-alive') return
    if (this.#replays.size >= MAX_COUNT) this.#replays.clear()
    this.#replays.set(chunk.toString('latin1'), replay)
  }

  #watchConnection(socket: Socket): void {
    const connection: Connection = { chunk: null, requests: 0, isOpened: false, pending: 0, isAligned: true }
    this.#connections.set(socket, connection)
    const [parse] = socket.listeners('data')
    if (!parse) return
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => {
      if (this.#isAnswered(chunk, connection, socket)) return
      connection.chunk = chunk
      connection.requests = 0
      Reflect.apply(parse, socket, [chunk])
      connection.chunk = null
      connection.isAligned &&= connection.requests === 1 && isOneHead(chunk)
    })
  }

  #isAnswered(chunk: Buffer, { isAligned, isOpened, pending }: Connection, socket: Socket): boolean {
    // One that does not read what it asked for is left to the server, which stops listening to it.
    if (!isOpened || !isAligned || pending > 0 || chunk.length > MAX_BYTES || socket.writableNeedDrain)
      return false
    const replay = this.#replays.get(chunk.toString('latin1'))
    const reply = replay?.()
    if (reply) writeReply(socket, reply)
    return reply !== undefined
  }
}

/** A GET may have one too: what follows its head is then no request, whatever it looks like. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Whether these bytes hold the end of one head, and nothing after it. */
function isOneHead(chunk: Buffer): boolean {
  return chunk.indexOf(HEAD_END) === chunk.length - HEAD_END.length
}
