import { readFileSync, statSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { isLoopbackHost } from '#contract/loopback.ts'

type Environment = Record<string, string | undefined>

const SECRETS = [
  'UPSTREAM_API_KEY',
  'UPSTREAM_EARLIER_API_KEY',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'SECRET',
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
]
/** A name, or all names under one of two parts or more. */
const HOST_NAME = /^(?:\*\.)?(?:[a-z\d-]{1,63}\.)+[a-z\d-]{1,63}$/i

/** A setting that is not permitted. Says which, and what is; never what it was. */
export class SettingsError extends Error {}

const port = z.pipe(
  z
    .string()
    .check(z.refine((text) => /^\d{1,5}$/.test(text) && isPort(Number(text)), 'a port from 1 to 65535')),
  z.transform(Number),
)
const host = z.string().check(z.regex(/^[a-zA-Z0-9.:-]+$/, 'a host name or address'))
const origin = z.pipe(
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
const issuer = z
  .string()
  .check(
    z.refine(
      isIssuer,
      'an https address without user, query or hash; http is for this machine only (localhost)',
    ),
  )
const networks = z.pipe(
  z
    .string()
    .check(z.refine((text) => splitList(text).every(isNetwork), 'networks such as 10.0.0.0/8, fd00::/8')),
  z.transform(toBlockList),
)
const hostNames = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => splitList(text).every((item) => HOST_NAME.test(item)),
        'host names such as cdn.vendor.example, *.evidence.example',
      ),
    ),
  z.transform((text) => splitList(text.toLowerCase())),
)
const databaseUrl = z
  .string()
  .check(z.refine(isDatabaseUrl, 'an address like postgres://user:password@host/name'))
const headerSafe = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,1024}$/, 'up to 1,024 printable characters without spaces'))

const environmentSchema = z.object({
  HOST: z._default(host, '127.0.0.1'),
  PORT: z._default(port, 4173),
  PUBLIC_URL: z.optional(origin),
  TRUSTED_PROXIES: z._default(networks, new BlockList()),
  DATA_DIR: z.optional(z.string()),
  DATABASE_URL: z.optional(databaseUrl),
  UPSTREAM_URL: z.optional(origin),
  UPSTREAM_API_KEY: z.optional(headerSafe),
  UPSTREAM_EARLIER_API_KEY: z.optional(headerSafe),
  ADMIN_EMAIL: z.optional(z.email('an e-mail address')),
  ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(12, '12 characters or more'), z.maxLength(128, 'at most 128 characters')),
  ),
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: z.optional(headerSafe),
  OIDC_CLIENT_SECRET: z.optional(headerSafe),
  SECRET: z.optional(z.string().check(z.minLength(32, '32 random characters or more'))),
  SERVICE_PORT: z._default(port, 4174),
  SERVICE_DATABASE_URL: z.optional(databaseUrl),
  FIELD_MAPPING: z.optional(z.string()),
  EVIDENCE_HOSTS: z.optional(hostNames),
  DEMO: z._default(z.enum(['on', 'off'], 'on or off'), 'on'),
})

export type Settings = ReturnType<typeof parseSettings>

/** The settings of this process, from the environment and `.env`, the environment first. */
export function loadSettings(): Settings {
  return parseSettings({ ...readEnvFile('.env'), ...process.env })
}

/** This process's environment for a child, changed as the child needs it. */
export function environmentWith(changes: Environment): Environment {
  return { ...process.env, ...changes }
}

/** Whether this process is the command of an npm script. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined
}

export function parseSettings(environment: Environment) {
  // `PORT=` in a file means what no PORT means.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { data: env, error } = environmentSchema.safeParse(given)
  if (error) {
    const [issue] = error.issues
    throw new SettingsError(`${issue?.path.join('.')} must be ${issue?.message}`)
  }
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const isPrivate = isLoopbackHost(env.HOST)
  const privateAddress = {
    host: '127.0.0.1',
    port: env.SERVICE_PORT,
    publicUrl: `http://127.0.0.1:${env.SERVICE_PORT}`,
  }
  if (!isPrivate && publicUrl.startsWith('http:')) {
    throw new SettingsError('PUBLIC_URL must be an https address when HOST is not of this machine only')
  }
  if (env.PORT === env.SERVICE_PORT && !env.UPSTREAM_URL) {
    throw new SettingsError('SERVICE_PORT must be another port than PORT')
  }
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    /** Whose X-Forwarded-For is believed. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Undefined where none is set: which one serves then is found out at the start. */
    dataDir: env.DATA_DIR === undefined ? undefined : resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    upstream: env.UPSTREAM_URL
      ? { url: env.UPSTREAM_URL, apiKey: env.UPSTREAM_API_KEY, earlierApiKey: env.UPSTREAM_EARLIER_API_KEY }
      : undefined,
    /** A file with the vendor's own names for fields. */
    fieldMapping: env.FIELD_MAPPING === undefined ? undefined : resolve(env.FIELD_MAPPING),
    /** The only hosts, beside the upstream, that pictures are fetched from; undefined: any public one. */
    evidenceHosts: env.EVIDENCE_HOSTS,
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD },
    singleSignOn: toSingleSignOn(env),
    secret: env.SECRET,
    service: {
      databaseUrl: env.SERVICE_DATABASE_URL,
      /** Where it listens beside a dashboard, its only client. */
      privateAddress,
      /** Where it listens when it runs alone. */
      address: isPrivate ? privateAddress : { host: env.HOST, port: env.SERVICE_PORT, publicUrl },
    },
    hasDemo: env.DEMO === 'on',
  }
}

/** All three or none: half of them would look like single sign-on and be none. */
function toSingleSignOn({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
}: z.infer<typeof environmentSchema>) {
  if (issuer && clientId && clientSecret) return { issuer, clientId, clientSecret }
  if (!issuer && !clientId && !clientSecret) return undefined
  throw new SettingsError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together')
}

function readEnvFile(file: string): Environment {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return {}
  const environment = parseEnv(readFileSync(file, 'utf8'))
  const isOpenToOthers = process.platform !== 'win32' && (stats.mode & 0o004) !== 0
  const secret = SECRETS.find((name) => environment[name])
  if (isOpenToOthers && secret) {
    throw new SettingsError(`${secret} must be in a file that others cannot read: chmod 600 ${file}`)
  }
  return environment
}

function isPort(number: number): boolean {
  return number >= 1 && number <= 65_535
}

function splitList(text: string): string[] {
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
