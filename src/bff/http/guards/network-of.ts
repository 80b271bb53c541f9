const GROUPS_OF_A_NETWORK = 4

/**
 * Returns the network by which one household or machine is counted: an IPv4 address, or the /64 network of an IPv6
 * address.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (!bare.includes(':')) return bare
  const [left = '', right = ''] = bare.split('::')
  const leftGroups = left.split(':').filter(Boolean)
  const rightGroups = right.split(':')
  const zeros = Array<string>(Math.max(0, 8 - leftGroups.length - rightGroups.length)).fill('0')
  return `${[...leftGroups, ...zeros, ...rightGroups].slice(0, GROUPS_OF_A_NETWORK).join(':')}::/64`
}
