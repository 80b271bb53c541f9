import type { LookupAddress } from 'node:dns'
import { lookup as lookUpHost } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks of their own, which nothing here may reach into, and names that mean this machine or its network. */
const INTERNAL_NAME = /(?:^|\.)(?:onion|i2p|localhost|local|internal|localdomain)\.?$/

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

/** Returns true if an IP address is a host on the public internet; false for anything that is no IP address. */
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

/** A host as names and addresses are compared: without brackets, and without the dot at a name's end. */
export function bareHost({ hostname }: { hostname: string }): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Returns true if a host is certainly not on the public internet, before its name is looked up. */
export function isInternalHost(host: string): boolean {
  return INTERNAL_NAME.test(host) || (isIP(host) !== 0 && !isPublicAddress(host))
}

export type ResolveHost = (host: string) => Promise<LookupAddress[]>

export const resolveHost: ResolveHost = (host) => lookUpHost(host, { all: true })

/** All addresses of a host; none where it cannot be found. */
export async function findAddresses(host: string, resolve: ResolveHost): Promise<LookupAddress[]> {
  const family = isIP(host)
  return family === 0 ? resolve(host).catch(() => []) : [{ address: host, family }]
}

/** Every connection goes to the addresses that were looked at; the name is not resolved again. */
export function pinTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}
