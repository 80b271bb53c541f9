import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { findFreePort } from '#database/embedded/find-free-port.ts'

export type Tunnel = {
  port: number
  /** Lets every connection stand and takes new ones, and nothing goes through: as a machine that hangs. */
  freeze(): void
  /** Lets all go on that waited. */
  thaw(): void
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections again, at the same port. */
  restore(): Promise<void>
}

/** A way to a server of this machine that a test can break and fix. */
export async function openTunnel(target: { host: string; port: number }): Promise<Tunnel> {
  const sockets = new Map<Socket, Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = createConnection(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.set(from, to)
      // A broken half breaks the other: `close` follows every error.
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (!isFrozen) from.pipe(to)
    }
  })
  // While it is cut, its port is free: no other server may get it from the system.
  const port = await findFreePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')

  return {
    port,
    freeze() {
      isFrozen = true
      for (const from of sockets.keys()) from.unpipe()
    },
    thaw() {
      isFrozen = false
      for (const [from, to] of sockets) from.pipe(to)
    },
    async cut() {
      if (!server.listening) return
      const closed = once(server.close(), 'close')
      for (const socket of sockets.keys()) socket.destroy()
      await closed
    },
    async restore() {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
  }
}
