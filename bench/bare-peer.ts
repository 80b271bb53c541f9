import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('bare-server.ts', import.meta.url))

/** A bare `node:http` in a process of its own that answers every request with these headers and bytes. */
export async function startBare(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [SERVER, JSON.stringify(headers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(body)
  const [port] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}
