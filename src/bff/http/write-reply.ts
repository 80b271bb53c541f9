import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { KEEP_ALIVE_MS } from './keep-alive.ts'
import type { Reply } from './representation.ts'

const CONNECTION_LINES = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`
const SECOND_MS = 1_000

type Packet = { bytes: Buffer; second: number }
const packets = new WeakMap<Reply, Packet>()

/** Writes a reply as Node's own server would, head and body in one piece that is made once a second. */
export function writeReply(socket: Socket, reply: Reply): void {
  const now = Date.now()
  const second = Math.floor(now / SECOND_MS)
  let packet = packets.get(reply)
  if (packet?.second !== second) {
    packet = { bytes: toBytes(reply, new Date(now)), second }
    packets.set(reply, packet)
  }
  socket.write(packet.bytes)
}

function toBytes({ status, headers, body }: Reply, date: Date): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Date: ${date.toUTCString()}\r\n${CONNECTION_LINES}`
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
}
