import { BlockList, isIP } from 'node:net'
import * as z from 'zod/mini'
import { isLoopbackHost } from '#contract/loopback.ts'

/** A name, or all names under one of two parts or more. */
export const hostName = /^(?:\*\.)?(?:[a-z\d-]{1,63}\.)+[a-z\d-]{1,63}$/i

export const port = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^\d{1,5}$/.test(text) && isPort(Number(text)), 'a port from 1 to 65535')),
  z.transform(Number),
)
export const host = z.string().check(z.regex(/^[a-zA-Z0-9.:-]+$/, 'a host name or address'))
export const origin = z.pipe(
  z
    .string()
    .check(
      z.refine(
        isOrigin,
        'an https address without path, user or query; http is for this machine only (localhost)',
      ),
    ),
  z.transform((text) => new URL(text).origin),
)
export const issuer = z
  .string()
  .check(
    z.refine(
      isIssuer,
      'an https address without user, query or hash; http is for this machine only (localhost)',
    ),
  )
export const networks = z.pipe(
  z
    .string()
    .check(z.refine((text) => splitList(text).every(isNetwork), 'networks such as 10.0.0.0/8, fd00::/8')),
  z.transform(toBlockList),
)
export const hostNames = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => text === '*' || splitList(text).every((item) => hostName.test(item)),
        'host names such as cdn.vendor.example, *.evidence.example, or * for any public host',
      ),
    ),
  z.transform((text) => splitList(text.toLowerCase())),
)
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
export const domains = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => splitList(text.toLowerCase()).every((domain) => DOMAIN.test(domain)),
        'mail domains such as corp.example, corp.co.example',
      ),
    ),
  z.transform((text) => splitList(text.toLowerCase())),
)
export const databaseUrl = z
  .string()
  .check(
    z.refine(isDatabaseUrl, 'an address like postgres://user:password@host/name'),
    z.refine(
      isSafeOnItsWay,
      'an address with `sslmode` where it leads to another machine: ?sslmode=verify-full, or ?sslmode=disable where the network is trusted',
    ),
  )
export const headerSafe = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,1024}$/, 'up to 1,024 printable characters without spaces'))

export const secret = z
  .string()
  .check(
    z.minLength(32, '32 random characters or more'),
    z.refine(isVaried, 'random: `openssl rand -base64 32` makes one'),
  )

/** Parses a retention period in days. */
export function days(least: number) {
  const isWhole = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= least
  return z.pipe(z.string().check(z.refine(isWhole, `whole days, ${least} or more`)), z.transform(Number))
}

export function recordCount(least: number) {
  const isWhole = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least
  return z.pipe(z.string().check(z.refine(isWhole, `a whole number, ${least} or more`)), z.transform(Number))
}

/** A company's proxy: where it is, and what proves us to it. */
export const forwardProxy = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => readProxy(text) !== null,
        'an address such as http://proxy.example:3128, or http://user:password@proxy.example:3128',
      ),
    ),
  z.transform(readProxy),
)
/** Hosts that are reached without the proxy. Entries for other programs, such as networks, are ignored. */
export const exceptions = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  ),
)

/** Neither few characters nor a few of them over and over. */
function isVaried(text: string): boolean {
  return new Set(text).size >= 8 && !/^(.{1,16})\1+/s.test(text)
}

/** Without `sslmode`, the connection to a database on another machine is not encrypted. */
function isSafeOnItsWay(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const { hostname, searchParams } = url
  const isHere = hostname === '' || isLoopbackHost(hostname) || searchParams.get('host')?.startsWith('/')
  return isHere || searchParams.has('sslmode')
}

/** Other programs accept this form too, even without `http://`. */
function readProxy(text: string): { origin: string; authorization: string | null } | null {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url?.pathname !== '/' || url.search || url.hash) return null
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const { origin, username, password } = url
  if (username === '') return password === '' ? { origin, authorization: null } : null
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { origin, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  } catch {
    return null
  }
}

function isPort(number: number): boolean {
  return number >= 1 && number <= 65_535
}

export function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

/** A network that holds everyone would let everyone choose an address. */
function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/', 2)
  const family = isIP(address)
  if (family === 0 || address.includes('%') || text !== `${address}/${bits}`) return false
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)
}

function toBlockList(text: string): BlockList {
  const networks = new BlockList()
  for (const item of splitList(text)) {
    const [address = '', bits] = item.split('/')
    networks.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.pathname === '/' && isIssuer(text)
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.search || url.hash || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}

function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') && url.pathname.length > 1
}
