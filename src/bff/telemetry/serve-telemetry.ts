import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { commonHeaders, DATA_HEADERS } from '#bff/http/guards/response-headers.ts'
import type { Log } from '#bff/http/log.ts'
import { CONNECTION_LIMITS, createDraining } from '#server/draining.ts'
import type { Telemetry } from './telemetry.ts'

export type TelemetryServerOptions = {
  telemetry: Telemetry
  host: string
  port: number
  /** The value of PUBLIC_URL. */
  publicName: string
  log: Log
}

// The port speaks HTTP, whatever PUBLIC_URL says.
const HEADERS = Object.entries({ ...commonHeaders(false), ...DATA_HEADERS })

/** Serves `GET /metrics` on a port of its own, which browsers have no business with. Throws where the port is taken. */
export async function serveTelemetry(options: TelemetryServerOptions): Promise<{ close(): Promise<void> }> {
  const { telemetry, host, port, publicName, log } = options
  const { follow, drain } = createDraining()
  const server = createServer(CONNECTION_LIMITS, (request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value)
    if (!isOurs(request.headers.host, [publicName, host])) {
      const how = `by address, by a name without a dot, or as ${publicName}`
      response.writeHead(421, { 'content-type': 'text/plain' }).end(`Ask for figures ${how}.\n`)
      return
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics is all there is here.\n')
      return
    }
    void follow(telemetry.render()).then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        log.error('metrics-failed', error)
        response.writeHead(503, { 'content-type': 'text/plain' }).end('The figures could not be read.\n')
      },
    )
  })
  await once(server.listen({ host, port }), 'listening')
  return {
    async close() {
      await drain(server)
      telemetry.close()
    },
  }
}

/** A page can lead a name of its maker's to this port, and then reads what it answers: such a name has a dot. */
function isOurs(host: string | undefined, names: readonly string[]): boolean {
  const name = URL.parse(`http://${host}`)?.hostname
  if (host === undefined || name === undefined) return false
  return name.startsWith('[') || isIP(name) !== 0 || !name.includes('.') || names.includes(name)
}
