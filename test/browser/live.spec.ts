import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { environmentWith } from '#settings.ts'
import { test } from '#test/support/browser-test.ts'
import type { RunningLantern } from '#test/support/start-lantern.ts'

const IMPORT = fileURLToPath(new URL('../../src/import.ts', import.meta.url))
/** The reader looks every 15 s where calls are plenty. */
const INTERVAL_MS = 15_000

test('a new record shows on an open feed within an interval of the reader, and moves nothing', async ({
  feedPage: page,
  lantern,
}) => {
  const links = page.getByRole('row').getByRole('link')
  await expect(links.first()).toBeVisible()
  const title = await links.first().innerText()
  const news = `Fenwold Dairy ${randomUUID().slice(0, 8)}`
  await importRecord(lantern, news)

  const button = page.getByRole('button', { name: /^\d+\+? new threats?$/ })
  await expect(button).toBeVisible({ timeout: 2 * INTERVAL_MS })
  await expect(links.first()).toHaveText(title)
  await button.press('Enter')
  await expect(page.getByRole('link', { name: news })).toBeVisible()
})

async function importRecord({ dataDir }: RunningLantern, title: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-import-'))
  try {
    const file = join(folder, 'record.jsonl')
    const record = {
      source: 'test',
      source_id: title,
      category: 'Ransomware',
      title,
      published: new Date().toISOString(),
      country: 'DE',
    }
    await writeFile(file, `${JSON.stringify(record)}\n`)
    const env = environmentWith({ DATA_DIR: dataDir })
    await promisify(execFile)(process.execPath, [IMPORT, file, '--keep-demo'], { env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
