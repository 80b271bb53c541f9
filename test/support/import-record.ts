import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environmentWith } from '#settings/settings.ts'

const IMPORT = fileURLToPath(new URL('../../src/commands/import.ts', import.meta.url))

type Place = { dataDir: string; settings?: Record<string, string> }

/** A record of each title, published now. */
export async function importRecord(place: Place, ...titles: string[]): Promise<void> {
  const published = new Date().toISOString()
  await importRecords(
    place,
    titles.map((title) => ({
      source: 'test',
      source_id: title,
      category: 'Ransomware',
      title,
      published,
      country: 'DE',
    })),
  )
}

/** Feed records, by the command that operators use. */
export async function importRecords(
  { dataDir, settings = {} }: Place,
  records: readonly Record<string, unknown>[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-import-'))
  try {
    const file = join(folder, 'record.jsonl')
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const env = environmentWith({ DATA_DIR: dataDir, ...settings })
    await promisify(execFile)(process.execPath, [IMPORT, file, '--keep-demo'], { env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
