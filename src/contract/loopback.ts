const LOOPBACK_V4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/

/** Returns true if an IP address is loopback. */
export function isLoopbackAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '')
  return bare === '::1' || LOOPBACK_V4.test(bare)
}

/** Returns true if a host of a URL, or a listen address, can only be this machine. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || isLoopbackAddress(bare)
}
