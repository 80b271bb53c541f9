import { type BlockList, isIP } from 'node:net'

type Hop = { socket: { remoteAddress?: string | undefined }; headers: NodeJS.Dict<string | string[]> }

/**
 * Where a request comes from: the peer, or, where that is a trusted proxy, what it says of the hop before, and so on.
 * Whatever stands left of the first untrusted hop may be a visitor's invention.
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

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trustedProxies.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 as a socket that serves both families, or a proxy with one, spells it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
