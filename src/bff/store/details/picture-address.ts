import { isHostOf } from '#contract/host-pattern.ts'
import { type ForwardProxy, isProxied } from '#server/forward-proxy.ts'
import { bareHost, isInternalHost } from '#server/public-host.ts'

const LENGTH_MAX = 2048

export type PictureAddress = {
  url: URL
  /** Only the configured upstream may have a private address, and plain http. */
  isUpstream: boolean
}

export type PictureHosts = {
  upstreamOrigin: string
  /** The only other hosts: names, `*.` before those whose subdomains are meant, `*` for any public one. */
  hosts: readonly string[]
  /** It resolves names itself, so that nobody here sees where a name leads: then `*` names nothing. */
  proxy?: ForwardProxy | undefined
}

/** Classifies an address before its host is looked up. A host is named if it is not the upstream's. */
type PicturePlace =
  | { kind: 'fetched'; address: PictureAddress; host: string | null }
  | { kind: 'notNamed'; host: string }
  | { kind: 'refused' }

/** Finds out where a picture is, and whether it may be fetched from there. */
export function placePicture(text: string, { upstreamOrigin, hosts, proxy }: PictureHosts): PicturePlace {
  const url = text.length <= LENGTH_MAX ? URL.parse(text) : null
  if (!url || url.username || url.password) return { kind: 'refused' }
  if (url.origin === upstreamOrigin) {
    return { kind: 'fetched', address: { url, isUpstream: true }, host: null }
  }
  const host = bareHost(url)
  if (url.protocol !== 'https:' || isInternalHost(host)) return { kind: 'refused' }
  return hosts.some((permitted) => (permitted === '*' ? !isProxied(proxy, url) : isHostOf(permitted, host)))
    ? { kind: 'fetched', address: { url, isUpstream: false }, host }
    : { kind: 'notNamed', host }
}
