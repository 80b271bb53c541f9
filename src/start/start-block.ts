import { systemFolderFor } from '#database/embedded/data-dir.ts'

export type StartFacts = {
  publicUrl: string
  signInLink: string | null
  firstAccount: { email: string; password: string; isPasswordGenerated: boolean } | null
  dataDir: string
  databases: { embeddedFolder: string | null }
  upstream: { url: string; kind: 'embedded' | 'vendor'; apiKey?: string | undefined }
}

/** What `npm start` says once it is ready. */
export function startBlock(facts: StartFacts, tookMs: number): string {
  const { publicUrl, signInLink } = facts
  const lines = [
    ['Open', signInLink ? `${signInLink}  (signs you in once, within 10 minutes)` : publicUrl],
    ['Account', describeAccount(facts)],
    ['Data', describeData(facts)],
    ['Move', describeMove(facts)],
    ['Source', describeSource(facts)],
    ['Ready', `in ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops everything.`],
  ] as const
  return `\nLantern\n${lines.map(([label, text]) => (text ? `  ${label.padEnd(9)}${text}\n` : '')).join('')}`
}

function describeAccount({ firstAccount }: StartFacts): string | null {
  if (!firstAccount) return null
  const { email, password, isPasswordGenerated } = firstAccount
  return isPasswordGenerated
    ? `${email}  password ${password}  (shown this once)`
    : `${email}  password as in ADMIN_PASSWORD`
}

function describeData({ dataDir, databases: { embeddedFolder } }: StartFacts): string {
  if (embeddedFolder === null) return `in the PostgreSQL of DATABASE_URL; secrets in ${dataDir}`
  return isElsewhere(dataDir, embeddedFolder) ? `${dataDir}, PostgreSQL in ${embeddedFolder}` : dataDir
}

/** Whoever archives DATA_DIR would archive a link. */
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

function isElsewhere(dataDir: string, folder: string): boolean {
  return !folder.startsWith(`${dataDir}/`)
}

function describeSource({ upstream: { url, kind, apiKey } }: StartFacts): string {
  if (kind === 'embedded') {
    return `our own service at ${url}; no vendor key is set (UPSTREAM_URL, UPSTREAM_API_KEY)`
  }
  return apiKey ? url : `${url}; no vendor key is set (UPSTREAM_API_KEY)`
}
