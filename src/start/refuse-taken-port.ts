import { once } from 'node:events'
import { createServer } from 'node:net'

/** Says which setting to change before any work is done, instead of failing after it. */
export async function refuseTakenPort(
  setting: string,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is taken: set ${setting} to another`)
    if (code === 'EACCES') throw new Error(`Port ${port} needs more rights: set ${setting} to one above 1023`)
    throw error
  }
  server.close()
  await once(server, 'close')
}
