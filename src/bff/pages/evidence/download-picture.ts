import type { LookupAddress } from 'node:dns'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { PictureAddress } from '#bff/store/details/picture-address.ts'
import {
  createPool,
  discard,
  readBody,
  send,
  TIMEOUTS,
  TransportError,
} from '#bff/upstream/client/transport.ts'
import { type ForwardProxy, isProxied } from '#server/forward-proxy.ts'
import { bareHost, findAddresses, isPublicAddress, pinTo, type ResolveHost } from '#server/public-host.ts'
import { unlessAborted } from '#server/unless-aborted.ts'

const MAX_BYTES = 5 * 1024 * 1024
const TOTAL_MS = 10_000
const FAILURES: Readonly<Record<TransportError['kind'], string>> = {
  unavailable: 'Its host cannot be reached.',
  timeout: 'Its host took too long to answer.',
  unreadable: 'It is larger than 5 MiB, or broken off.',
  web_page: 'It is a web page.',
}

/** Explains in words for the reader why there is no picture. */
export class PictureError extends ProblemError {
  constructor(reason: string) {
    super({ code: 'picture_unavailable', detail: reason })
    this.name = 'PictureError'
  }
}

/**
 * Fetches the bytes at an address: without a key, cookies or redirects, and only from addresses that were looked at
 * first, so that a host's name cannot lead inside a private network. Through a proxy, which resolves names itself, only
 * from hosts that an operator has named.
 */
export async function downloadPicture(
  { url, isUpstream }: PictureAddress,
  resolve: ResolveHost,
  proxy?: ForwardProxy | undefined,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(TOTAL_MS)
  const isDirect = !isProxied(proxy, url)
  const addresses = isDirect
    ? await unlessAborted(
        resolvePublic(bareHost(url), isUpstream, resolve),
        signal,
        () => new PictureError(FAILURES.timeout),
      )
    : []
  const pool = createPool(url.origin, {
    timeouts: TIMEOUTS,
    connections: 1,
    proxy,
    lookup: isDirect ? pinTo(addresses) : undefined,
  })
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
  const addresses = await findAddresses(host, resolve)
  if (addresses.length === 0) throw new PictureError('Its host cannot be found.')
  if (!isUpstream && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new PictureError('Its host lies inside a private network.')
  return addresses
}
