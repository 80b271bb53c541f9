import { BlockList, isIP } from 'node:net'
import * as z from 'zod/mini'
import { isLoopbackHost } from '#contract/loopback.ts'

/** A name, or all names under one of two parts or more. */
export const hostName = /^(?:\*\.)?(?:[a-z\d-]{1,63}\.)+[a-z\d-]{1,63}$/i

/** A setting that is read from its text. The message says what is permitted where `read` returns null. */
export function readText<Value>(read: (text: string) => Value | null, permitted: string) {
  return z.pipe(
    z.string(),
    z.transform((text, context): Value => {
      const value = read(text)
      if (value !== null) return value
      context.issues.push({ code: 'custom', message: permitted, input: text })
      return z.NEVER
    }),
  )
}

/** A list whose items must all be permitted, in lower case. */
export function listOf(isPermitted: (item: string) => boolean, permitted: string) {
  return readText((text) => {
    const items = splitList(text.toLowerCase())
    return items.every(isPermitted) ? items : null
  }, permitted)
}

function wholeNumber(maxDigits: number, least: number, most: number, permitted: string) {
  return readText((text) => {
    const number = new RegExp(`^\\d{1,${maxDigits}}$`).test(text) ? Number(text) : -1
    return number >= least && number <= most ? number : null
  }, permitted)
}

export const port = wholeNumber(5, 1, 65_535, 'a port from 1 to 65535')
export const host = z.string().check(z.regex(/^[a-zA-Z0-9.:-]+$/, 'a host name or address'))
export const origin = readText(
  (text) => (isOrigin(text) ? new URL(text).origin : null),
  'an https address without path, user or query; http is for this machine only (localhost)',
)
export const issuer = readText(
  (text) => (isIssuer(text) ? text : null),
  'an https address without user, query or hash; http is for this machine only (localhost)',
)
export const networks = readText(
  (text) => (splitList(text).every(isNetwork) ? toBlockList(text) : null),
  'networks such as 10.0.0.0/8, fd00::/8',
)
export const hostNames = readText((text) => {
  const items = splitList(text.toLowerCase())
  return text === '*' || items.every((item) => hostName.test(item)) ? items : null
}, 'host names such as cdn.vendor.example, *.evidence.example, or * for any public host')
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
export const domains = listOf(
  (domain) => DOMAIN.test(domain),
  'mail domains such as corp.example, corp.co.example',
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

/** A retention period in days. */
export function days(least: number) {
  return wholeNumber(5, least, 99_999, `whole days, ${least} or more`)
}

export function recordCount(least: number) {
  return wholeNumber(9, least, 999_999_999, `a whole number, ${least} or more`)
}

/** A company's proxy: its address, and the credentials for it. */
export const forwardProxy = readText(
  readProxy,
  'an address such as http://proxy.example:3128, or http://user:password@proxy.example:3128',
)
/** Hosts that are reached without the proxy. Entries for other programs, such as networks, are ignored. */
export const exceptions = readText(
  (text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  '',
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
