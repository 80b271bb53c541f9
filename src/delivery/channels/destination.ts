import { type WebhookKind, webhookFault } from '#contract/bff/recipient.ts'
import { isHostOf } from '#contract/host-pattern.ts'
import { type ForwardProxy, isProxied } from '#server/forward-proxy.ts'
import { bareHost, isInternalHost } from '#server/public-host.ts'

/** Says how destinations are reached, and which ones an operator permits besides public ones. */
export type Reach = {
  /** NOTIFY_HOSTS: names, `*.` before those whose subdomains are meant. They may be private, and are of any kind. */
  hosts: readonly string[]
  /** It resolves names itself, so that nobody here sees where a name leads. */
  proxy?: ForwardProxy | undefined
}

export type PlacedDestination =
  | { kind: 'allowed'; url: URL; mayBePrivate: boolean }
  | {
      kind: 'refused'
      /** A person reads this text. */
      reason: string
    }

const LENGTH_MAX = 2_048

/** Checks a webhook's address before its host is looked up: when it is saved, and before each attempt. */
export function placeDestination(
  kind: WebhookKind | 'webhook',
  text: string,
  { hosts, proxy }: Reach,
): PlacedDestination {
  const url = text.length <= LENGTH_MAX && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  if (!url) return refuse('This is not a web address.')
  if (url.protocol !== 'https:') return refuse('The address has to begin with https://.')
  if (url.username !== '' || url.password !== '') {
    return refuse('The address must not contain a user name or a password.')
  }
  const host = bareHost(url)
  if (hosts.some((permitted) => isHostOf(permitted, host)))
    return { kind: 'allowed', url, mayBePrivate: true }
  if (kind !== 'webhook') {
    const fault = webhookFault(kind, text, hosts)
    return fault === null ? { kind: 'allowed', url, mayBePrivate: false } : refuse(fault)
  }
  if (isInternalHost(host)) {
    return refuse('The address lies inside a private network, and NOTIFY_HOSTS does not name its host.')
  }
  if (isProxied(proxy, url)) {
    return refuse('Through the proxy, webhooks are sent only to hosts that NOTIFY_HOSTS names.')
  }
  return { kind: 'allowed', url, mayBePrivate: false }
}

function refuse(reason: string): PlacedDestination {
  return { kind: 'refused', reason }
}
