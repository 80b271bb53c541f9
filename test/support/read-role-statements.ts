import { readFile } from 'node:fs/promises'

const FILE = new URL('../../deploy/roles.sql', import.meta.url)

/** What an administrator runs for a database of its own, without psql; each role has the same password. */
export async function readRoleStatements(password: string): Promise<string[]> {
  const text = await readFile(FILE, 'utf8')
  return text
    .replace(/^(?:\\|--).*$/gm, '')
    .replace(/:'\w+'/g, `'${password}'`)
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
}
