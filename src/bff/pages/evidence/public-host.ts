import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registry: everything in IPv4 that is not a public host. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Public IPv6 lies in here: mapped, translated, local and link-local addresses do not. */
const GLOBAL_V6 = '2000::/3'
/** Within it: protocol assignments and Teredo, documentation, 6to4. The tunnels can lead to private IPv4. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = toBlockList([...SPECIAL_V4, ...SPECIAL_V6])
const global = toBlockList([GLOBAL_V6])

/** Whether an IP address is a host on the public internet. False for anything that is no IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
