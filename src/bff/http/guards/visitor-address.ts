import { type BlockList, isIP } from 'node:net'
import type { Log } from '#bff/http/log.ts'

type Hop = { socket: { remoteAddress?: string | undefined }; headers: NodeJS.Dict<string | string[]> }

const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/**
 * Returns the address of a visitor: the peer or, if that is a trusted proxy, the hop that it names, and so on. A visitor
 * may have invented everything left of the first untrusted hop.
 */
export function readVisitorAddress({ socket, headers }: Hop, trustedProxies: BlockList): string {
  let address = withoutMapping(socket.remoteAddress ?? '')
  const forwarded = headers['x-forwarded-for']?.toString().split(',') ?? []
  for (const entry of forwarded.reverse()) {
    const hop = withoutMapping(entry.trim())
    if (!isTrusted(address, trustedProxies) || isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** Returns a trusted proxy's id of a request, so that its log and ours can be compared; undefined from anyone else. */
export function readRequestId({ socket, headers }: Hop, trustedProxies: BlockList): string | undefined {
  const id = headers['x-request-id']?.toString() ?? ''
  const isBelieved =
    REQUEST_ID.test(id) && isTrusted(withoutMapping(socket.remoteAddress ?? ''), trustedProxies)
  return isBelieved ? id : undefined
}

/** Peers that are warned of: visitors can send these headers as well, and would fill the log. */
const WARNED_MAX_COUNT = 10

/** Warns once of each peer that speaks for others and is in no network of TRUSTED_PROXIES: all behind it count as one. */
export function createForwardingWarning(log: Log, trustedProxies: BlockList): (hop: Hop) => void {
  const warned = new Set<string>()
  return ({ socket, headers }) => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
    const peer = withoutMapping(socket.remoteAddress ?? '')
    if (warned.has(peer) || warned.size >= WARNED_MAX_COUNT || isTrusted(peer, trustedProxies)) return
    warned.add(peer)
    log.warn('proxy-not-trusted', {
      peer,
      setting: 'TRUSTED_PROXIES',
      remedy: `All visitors behind ${peer} count as one. If it is your proxy, add ${peer}/${isIP(peer) === 6 ? 128 : 32} to TRUSTED_PROXIES.`,
    })
  }
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trustedProxies.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 as a socket that serves both families, or a proxy with one, spells it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
