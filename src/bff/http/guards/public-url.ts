import { isLoopbackHost } from '#contract/loopback.ts'

export type PublicAddress = {
  url: URL
  /** Host headers that mean this server. */
  hosts: ReadonlySet<string>
  /** Origins of its own pages. */
  origins: ReadonlySet<string>
  isHttps: boolean
  isLoopback: boolean
}

/**
 * The names this server answers to: PUBLIC_URL's, and on a loopback port also the other loopback names of that port,
 * which no other machine can claim.
 */
export function createPublicAddress(
  publicUrl: string,
  listening: { host: string; port: number },
): PublicAddress {
  const url = new URL(publicUrl)
  const isHttps = url.protocol === 'https:'
  const isLoopback = isLoopbackHost(url.hostname)
  if (!isHttps && !isLoopback) throw new Error('PUBLIC_URL must be https, or http on a loopback name')
  if (!isHttps && !isLoopbackHost(listening.host))
    throw new Error('HOST must be a loopback address unless PUBLIC_URL is https')

  const loopbackHosts = isLoopbackHost(listening.host)
    ? ['localhost', '127.0.0.1', '[::1]'].map((name) => new URL(`http://${name}:${listening.port}`).host)
    : []
  return {
    url,
    hosts: new Set([url.host, ...loopbackHosts]),
    origins: new Set([url.origin, ...(isHttps ? [] : loopbackHosts.map((host) => `http://${host}`))]),
    isHttps,
    isLoopback,
  }
}
