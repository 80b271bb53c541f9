import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The secret of that name in DATA_DIR, made the first time it is needed. */
export async function keepSecret(
  dataDir: string,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const kept = await readSecret(dataDir, name)
  if (kept) return kept
  const secret = await make()
  await writeSecret(dataDir, name, secret)
  return secret
}

export async function readSecret(dataDir: string, name: string): Promise<string | undefined> {
  const file = join(dataDir, name)
  const stats = await stat(file).catch(() => undefined)
  if (!stats) return undefined
  if (process.platform !== 'win32' && stats.mode & 0o077) {
    throw new Error(`${file} holds a secret and others can read it: chmod 600 it`)
  }
  return (await readFile(file, 'utf8')) || undefined
}

export async function writeSecret(dataDir: string, name: string, secret: string): Promise<void> {
  await writeFile(join(dataDir, name), secret, { mode: 0o600, flush: true })
}
