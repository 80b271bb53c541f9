import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environmentWith } from '#settings/settings.ts'

const IMPORT = fileURLToPath(new URL('../../src/commands/import.ts', import.meta.url))

/** A record of each title, published now, by the command that operators use. */
export async function importRecord(
  { dataDir, settings = {} }: { dataDir: string; settings?: Record<string, string> },
  ...titles: string[]
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-import-'))
  try {
    const file = join(folder, 'record.jsonl')
    const records = titles.map((title) => ({
      source: 'test',
      source_id: title,
      category: 'Ransomware',
      title,
      published: new Date().toISOString(),
      country: 'DE',
    }))
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const env = environmentWith({ DATA_DIR: dataDir, ...settings })
    await promisify(execFile)(process.execPath, [IMPORT, file, '--keep-demo'], { env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
