import { isIP } from 'node:net'
import { isPublicAddress } from './public-host.ts'

const LENGTH_MAX = 2048
/** Networks of their own, which nothing here may reach into, and names that mean this machine or its network. */
const REFUSED_HOST = /(?:^|\.)(?:onion|i2p|localhost|local|internal|localdomain)\.?$/

export type PictureAddress = {
  url: URL
  /** Only the configured upstream may have a private address, and plain http. */
  isUpstream: boolean
}

export type PictureHosts = {
  upstreamOrigin: string
  /** The only other hosts: names, and `*.` before those whose subdomains are meant. Any public one unless given. */
  hosts?: readonly string[] | undefined
}

/** An address that a picture may be fetched from, before its host is looked up; null for any other. */
export function parsePictureAddress(
  text: string,
  { upstreamOrigin, hosts }: PictureHosts,
): PictureAddress | null {
  const url = text.length <= LENGTH_MAX ? URL.parse(text) : null
  if (!url || url.username || url.password) return null
  if (url.origin === upstreamOrigin) return { url, isUpstream: true }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isRefused =
    REFUSED_HOST.test(host) ||
    (isIP(host) !== 0 && !isPublicAddress(host)) ||
    (hosts !== undefined && !hosts.some((permitted) => isHostOf(permitted, host.replace(/\.$/, ''))))
  return url.protocol === 'https:' && !isRefused ? { url, isUpstream: false } : null
}

function isHostOf(permitted: string, host: string): boolean {
  return permitted.startsWith('*.') ? host.endsWith(permitted.slice(1)) : host === permitted
}
