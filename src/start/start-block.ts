import { systemFolderFor } from '#database/embedded/data-dir.ts'
import type { Rights } from '#database/migrate.ts'
import { nameCommand } from './name-command.ts'

export type StartFacts = {
  publicUrl: string
  signInLink: string | null
  firstAccount: { email: string; password: string | null; isPasswordGenerated: boolean } | null
  dataDir: string
  databases: { embeddedFolder: string | null; embeddedNotice: string | null }
  /** The rights of the serving role in the dashboard's database. */
  rights: Rights
  /** The serving role may not prune the audit record as the settings require. */
  isAuditUnpruned: boolean
  /** Names that look like settings, and are none. */
  unknownSettings: readonly string[]
  /** The data was sealed and signed with another SECRET. */
  isOtherSecret: boolean
  upstream: { url: string; kind: 'embedded' | 'vendor'; apiKey?: string | undefined }
}

const OTHER_SECRET =
  'SECRET is not the one that the database knows: keys of Settings stay closed, and threats are read anew. Set SECRET to that one, or SECRET_BEFORE to it; SECRET_BEFORE=lost gives it up'

const UNPRUNED = `AUDIT_RETENTION_DAYS takes the owner, and DATABASE_URL is not: set DATABASE_OWNER_URL, or run \`${nameCommand('audit', 'prune')}\` with it once a day`

/** Settings of earlier versions, and what took their place. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  ['ACCESS_LOG', 'a proxy logs requests, and METRICS_PORT counts them'],
  ['BACKUP_PASSPHRASE_FILE', 'set BACKUP_PASSPHRASE to what the file holds'],
  ['EXPORT_TLP', 'STIX exports are marked TLP:AMBER'],
  ['NODE_NAME', 'connections to the database have the host name'],
  ['FIELD_MAPPING', 'fields are found by their usual names'],
  ['CALLS_RETENTION_DAYS', 'the record of calls is kept for 31 days'],
  ['DELIVERY_RETENTION_DAYS', 'the ledger of messages is kept for 90 days'],
  ['SECURITY_CONTACT', 'a proxy can serve security.txt'],
])

/** Returns the text that the start prints once it is ready. */
export function startBlock(facts: StartFacts, tookMs: number): string {
  const { publicUrl, signInLink } = facts
  const lines = [
    ['Open', signInLink ? `${signInLink}  (signs you in once, within 10 minutes)` : publicUrl],
    ['Account', describeAccount(facts)],
    ['Data', describeData(facts)],
    ['Move', describeMove(facts)],
    ['Database', facts.databases.embeddedNotice && `PostgreSQL ${facts.databases.embeddedNotice}`],
    ['Rights', describeRights(facts)],
    ['Audit', facts.isAuditUnpruned ? UNPRUNED : null],
    ['Source', describeSource(facts)],
    ['Ignored', describeUnknown(facts)],
    ['Secret', facts.isOtherSecret ? OTHER_SECRET : null],
    ['Ready', `in ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`],
  ] as const
  return `\nLantern\n${lines.map(([label, text]) => (text ? `  ${label.padEnd(9)}${text}\n` : '')).join('')}`
}

function describeAccount({ firstAccount }: StartFacts): string | null {
  if (!firstAccount) return null
  const { email, password, isPasswordGenerated } = firstAccount
  if (password === null) return `${email}, an admin once they have come by single sign-on`
  return isPasswordGenerated
    ? `${email}  password ${password}  (shown this once)`
    : `${email}  password as in ADMIN_PASSWORD`
}

function describeData({ dataDir, databases: { embeddedFolder } }: StartFacts): string {
  if (embeddedFolder === null) return `in the PostgreSQL of DATABASE_URL; secrets in ${dataDir}`
  return isElsewhere(dataDir, embeddedFolder) ? `${dataDir}, PostgreSQL in ${embeddedFolder}` : dataDir
}

/** A backup of DATA_DIR would archive a link. */
function describeMove({ dataDir, databases: { embeddedFolder } }: StartFacts): string | null {
  if (embeddedFolder === null || !isElsewhere(dataDir, embeddedFolder)) return null
  const whole = systemFolderFor(dataDir)
  const commands = [
    `mv ${dataDir} ${whole}`,
    `rm ${whole}/postgres`,
    `mv ${embeddedFolder} ${whole}/postgres`,
    `chmod 711 ${whole}`,
  ]
  return `to have both in one folder, stop Lantern, then: ${commands.join(' && ')}; and set DATA_DIR=${whole}`
}

function describeRights({ rights }: StartFacts): string | null {
  if (!rights.isSuperuser && !rights.mayMigrate) return null
  const who = rights.isSuperuser ? 'signs in as a superuser' : 'may change the schema'
  return `DATABASE_URL ${who}, which is more than serving needs; docs/operating/database.md has three roles instead`
}

function isElsewhere(dataDir: string, folder: string): boolean {
  return !folder.startsWith(`${dataDir}/`)
}

function describeUnknown({ unknownSettings: names }: StartFacts): string | null {
  const strange = names.filter((name) => !REMOVED.has(name))
  const faults = [
    strange.length > 0
      ? `${strange.join(', ')}: no setting has this name; docs/operating/settings.md lists them`
      : [],
    [...REMOVED].flatMap(([name, reason]) =>
      names.includes(name) ? `${name} is no longer used: ${reason}` : [],
    ),
  ].flat()
  return faults.length > 0 ? faults.join('. ') : null
}

function describeSource({ upstream: { url, kind, apiKey } }: StartFacts): string {
  if (kind === 'embedded') {
    return `our own service at ${url}; no vendor key is set (UPSTREAM_URL, UPSTREAM_API_KEY)`
  }
  return apiKey ? url : `${url}; no vendor key is set (UPSTREAM_API_KEY)`
}
