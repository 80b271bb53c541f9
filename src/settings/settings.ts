import { readFileSync, statSync } from 'node:fs'
import { BlockList } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { ROLES } from '#contract/bff/session.ts'
import { isLoopbackHost } from '#contract/loopback.ts'
import { deliveryFields, findDeliveryFault, toDelivery } from './delivery-settings.ts'
import {
  databaseUrl,
  days,
  exceptions,
  forwardProxy,
  headerSafe,
  host,
  hostNames,
  issuer,
  networks,
  origin,
  port,
  recordCount,
  secret,
} from './setting-values.ts'
import { findSingleSignOnFault, singleSignOnFields, toSingleSignOn } from './single-sign-on-settings.ts'

type Environment = Record<string, string | undefined>

const SECRETS = [
  'UPSTREAM_API_KEY',
  'UPSTREAM_EARLIER_API_KEY',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'SECRET',
  'SECRET_BEFORE',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SERVICE_DATABASE_URL',
  'BACKUP_PASSPHRASE',
]
/** Instead of a SECRET_BEFORE that nobody has any more. */
const LOST = 'lost'

/** A setting that is not permitted. Says which, and what is; never what it was. */
export class SettingsError extends Error {}

const roles = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(/ *, */)),
  ),
  z.array(z.enum(ROLES, ROLES.join(', '))),
)

/** All settings, by name. The operators’ page of settings is written from it. */
export const environmentSchema = z.object({
  HOST: z._default(host, '127.0.0.1'),
  PORT: z._default(port, 4173),
  PUBLIC_URL: z.optional(origin),
  METRICS_PORT: z.optional(port),
  AUDIT_LOG: z._default(z.enum(['off', 'stdout'], 'off or stdout'), 'off'),
  AUDIT_RETENTION_DAYS: z.optional(days(1)),
  TRIAGE_HISTORY_RETENTION_DAYS: z.optional(days(1)),
  HISTORY_DAYS: z._default(days(0), 400),
  HISTORY_RECORDS: z._default(recordCount(1_000), 300_000),
  TRUSTED_PROXIES: z._default(networks, new BlockList()),
  DATA_DIR: z.optional(z.string()),
  DATABASE_URL: z.optional(databaseUrl),
  DATABASE_OWNER_URL: z.optional(databaseUrl),
  UPSTREAM_URL: z.optional(origin),
  UPSTREAM_API_KEY: z.optional(headerSafe),
  UPSTREAM_EARLIER_API_KEY: z.optional(headerSafe),
  ADMIN_EMAIL: z.optional(z.email('an email address')),
  ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(12, '12 characters or more'), z.maxLength(128, 'at most 128 characters')),
  ),
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: z.optional(headerSafe),
  OIDC_CLIENT_SECRET: z.optional(headerSafe),
  SECOND_FACTOR_REQUIRED: z.optional(roles),
  ...singleSignOnFields,
  SECRET: z.optional(secret),
  SECRET_BEFORE: z.optional(
    z.union([z.literal(LOST), secret], 'the SECRET before, 32 characters or more, or `lost`'),
  ),
  SERVICE_PORT: z._default(port, 4174),
  SERVICE_DATABASE_URL: z.optional(databaseUrl),
  BACKUP_PASSPHRASE: z.optional(z.string()),
  EVIDENCE_HOSTS: z.optional(hostNames),
  HTTPS_PROXY: z.optional(forwardProxy),
  NO_PROXY: z.optional(exceptions),
  ...deliveryFields,
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

/** Returns the folder in which the user typed the command: npm and bin/lantern run it in Lantern's own folder. */
export function findCallersFolder(): string {
  return process.env.INIT_CWD ?? process.cwd()
}

/** Returns true if this process is the command of an npm script. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined
}

export function parseSettings(environment: Environment) {
  // `PORT=` in a file means what no PORT means.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  // As most programs have it, the lower case of these two takes precedence.
  const { https_proxy: httpsProxy = given.HTTPS_PROXY, no_proxy: noProxy = given.NO_PROXY } = given
  const { data: env, error } = environmentSchema.safeParse({
    ...given,
    HTTPS_PROXY: httpsProxy,
    NO_PROXY: noProxy,
  })
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
  if (!isPrivate && publicUrl.startsWith('http:'))
    throw new SettingsError('PUBLIC_URL must be an https address when HOST is not of this machine only')
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new SettingsError(
      'NODE_TLS_REJECT_UNAUTHORIZED must be unset: anyone on the way could read the key. NODE_EXTRA_CA_CERTS trusts one certificate',
    )
  if ((env.UPSTREAM_API_KEY || env.UPSTREAM_EARLIER_API_KEY) && !env.UPSTREAM_URL)
    throw new SettingsError('UPSTREAM_URL must be set where a vendor’s key is: the key would be for nobody')
  if (env.SECRET_BEFORE && !env.SECRET)
    throw new SettingsError('SECRET must be set where SECRET_BEFORE is: it is the one that comes after')
  const ssoFault = findSingleSignOnFault(env)
  if (ssoFault) throw new SettingsError(ssoFault)
  const deliveryFault = findDeliveryFault(env)
  if (deliveryFault) throw new SettingsError(deliveryFault)
  if (env.PORT === env.SERVICE_PORT && !env.UPSTREAM_URL)
    throw new SettingsError('SERVICE_PORT must be another port than PORT')
  if (env.METRICS_PORT === env.PORT || (env.METRICS_PORT === env.SERVICE_PORT && !env.UPSTREAM_URL))
    throw new SettingsError('METRICS_PORT must be a port of its own')
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    /** Nobody else reaches it, and no load balancer stands before it. */
    isLocalOnly: isLoopbackHost(new URL(publicUrl).hostname),
    /** Prometheus scrapes this port; undefined turns metrics off. */
    metricsPort: env.METRICS_PORT,
    hasAuditLog: env.AUDIT_LOG === 'stdout',
    /** Data is kept for so many days; for ever if undefined. */
    retention: {
      auditDays: env.AUDIT_RETENTION_DAYS,
      triageHistoryDays: env.TRIAGE_HISTORY_RETENTION_DAYS,
    },
    /** The vendor's threats are kept for so many days, 0 for all, up to this number of records. */
    history: { days: env.HISTORY_DAYS, records: env.HISTORY_RECORDS },
    /** Whose X-Forwarded-For is believed. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Undefined where none is set: which one serves then is found out at the start. */
    dataDir: env.DATA_DIR === undefined ? undefined : resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    /** The URL of the role that migrates; undefined if DATABASE_URL's own role does, or the command is run apart. */
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    upstream: env.UPSTREAM_URL
      ? { url: env.UPSTREAM_URL, apiKey: env.UPSTREAM_API_KEY, earlierApiKey: env.UPSTREAM_EARLIER_API_KEY }
      : undefined,
    /** The only hosts, beside the upstream, that pictures are fetched from; `*` is any public one. */
    evidenceHosts: env.EVIDENCE_HOSTS,
    proxy: env.HTTPS_PROXY ? { ...env.HTTPS_PROXY, except: env.NO_PROXY ?? [] } : undefined,
    delivery: toDelivery(env),
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD },
    singleSignOn: toSingleSignOn(env),
    /** Roles that need a second factor. */
    factorRoles: env.SECOND_FACTOR_REQUIRED ?? [],
    hasPasswordSignIn: env.PASSWORD_SIGN_IN === 'on',
    secret: env.SECRET,
    /** The one that was replaced by it: what it has sealed and signed is still read. */
    secretBefore: env.SECRET_BEFORE === LOST ? undefined : env.SECRET_BEFORE,
    /** Everything that the former secret has sealed is given up. */
    isSecretBeforeLost: env.SECRET_BEFORE === LOST,
    service: {
      databaseUrl: env.SERVICE_DATABASE_URL,
      /** The service listens here next to a dashboard, its only client. */
      privateAddress,
      /** The service listens here when it runs alone. */
      address: isPrivate ? privateAddress : { host: env.HOST, port: env.SERVICE_PORT, publicUrl },
    },
    hasDemo: env.DEMO === 'on',
    /** Backups are sealed with this passphrase. */
    backupPassphrase: env.BACKUP_PASSPHRASE,
    /** Names that look like settings, and are none. */
    unknown: findUnknown(given),
  }
}

function readEnvFile(file: string): Environment {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return {}
  const environment = parseEnv(readFileSync(file, 'utf8'))
  const isOpenToOthers = process.platform !== 'win32' && (stats.mode & 0o004) !== 0
  const secret =
    SECRETS.find((name) => environment[name]) ??
    ['HTTPS_PROXY', 'https_proxy', 'SMTP_URL'].find((name) => environment[name]?.includes('@'))
  if (isOpenToOthers && secret)
    throw new SettingsError(`${secret} must be in a file that others cannot read: chmod 600 ${file}`)
  return environment
}

/** Our settings begin with these, and those of earlier versions. */
const OURS =
  /^(?:PASSWORD_SI|NODE_NAME|(?:DASHBOARD|DATABASE|UPSTREAM|OIDC|EVIDENCE|EXPORT|ADMIN|TRUSTED|SERVICE|FIELD|PUBLIC|METRICS|ACCESS|AUDIT|BACKUP|SECRET|SECURITY|SECOND|TRIAGE|CALLS|HISTORY|SMTP|NOTIFY|DELIVERY)_)[A-Z_]*$/

function findUnknown(given: Environment): string[] {
  const known = new Set<string>(z.keyof(environmentSchema).options)
  return Object.keys(given)
    .filter((name) => OURS.test(name) && !known.has(name))
    .sort()
}
