import type { LookupAddress } from 'node:dns'
import { lookup as lookUpHost } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { unlessAborted } from '#bff/vendor/cache/unless-aborted.ts'
import {
  createPool,
  discard,
  readBody,
  send,
  TIMEOUTS,
  TransportError,
} from '#bff/vendor/client/transport.ts'
import type { PictureAddress } from './picture-address.ts'
import { PictureError } from './picture-error.ts'
import { isPublicAddress } from './public-host.ts'

const MAX_BYTES = 5 * 1024 * 1024
const TOTAL_MS = 10_000
const FAILURES: Readonly<Record<TransportError['kind'], string>> = {
  unavailable: 'Its host cannot be reached.',
  timeout: 'Its host took too long to answer.',
  unreadable: 'It is larger than 5 MiB, or broken off.',
}

export type ResolveHost = (host: string) => Promise<LookupAddress[]>

export const resolveHost: ResolveHost = (host) => lookUpHost(host, { all: true })

/**
 * Fetches the bytes at an address: without a key, cookies or redirects, and only from addresses that were looked at
 * first, so that a host's name cannot lead inside a private network.
 */
export async function downloadPicture(
  { url, isUpstream }: PictureAddress,
  resolve: ResolveHost,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(TOTAL_MS)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await unlessAborted(
    resolvePublic(host, isUpstream, resolve),
    signal,
    () => new PictureError(FAILURES.timeout),
  )
  const pool = createPool(url.origin, { timeouts: TIMEOUTS, connections: 1, lookup: pinTo(addresses) })
  try {
    const response = await send(pool, {
      path: url.pathname + url.search,
      headers: { accept: 'image/png, image/jpeg, image/webp', 'accept-encoding': 'identity' },
      signal,
    })
    if (response.status !== 200) {
      discard(response)
      throw new PictureError(`Its host answered with status ${response.status}.`)
    }
    return await readBody(response, MAX_BYTES)
  } catch (error) {
    throw error instanceof TransportError ? new PictureError(FAILURES[error.kind]) : error
  } finally {
    await pool.destroy()
  }
}

async function resolvePublic(
  host: string,
  isUpstream: boolean,
  resolve: ResolveHost,
): Promise<LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }]
  if (addresses.length === 0) throw new PictureError('Its host cannot be found.')
  if (!isUpstream && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new PictureError('Its host lies inside a private network.')
  }
  return addresses
}

/** Every connection goes to the addresses that were looked at; the name is not resolved again. */
function pinTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}
