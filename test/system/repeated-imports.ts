import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { environmentWith } from '#settings/settings.ts'

const IMPORT = fileURLToPath(new URL('../../src/commands/import.ts', import.meta.url))
/** Three transactions of the import. */
const RECORDS = 1_200
/** It waits 15 s for a database that does not answer. */
const ENDS_WITHIN_MS = 40_000
const SOURCE = 'durability'

const countsSchema = z.object({ records: z.int(), doubled: z.int(), tallies: z.int(), strays: z.int() })

/** `npm run import` of one file after the other, each run anew until it ended well. */
export function createRepeatedImports(folder: string, settings: Record<string, string>) {
  let files = 0
  let acknowledged = 0
  let pending: string | null = null
  let killed = 0
  let hung = 0
  let running: { child: ChildProcess; output(): string } | null = null

  async function begin(): Promise<void> {
    if (pending === null) {
      files += 1
      pending = join(folder, `file-${files}.ndjson`)
      await writeFile(pending, Array.from({ length: RECORDS }, (_, at) => recordOf(files, at)).join('\n'))
    }
    const child = spawn(process.execPath, [IMPORT, pending, '--keep-demo'], {
      env: environmentWith(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-2_000)
      })
    }
    running = { child, output: () => output }
  }

  function kill(): void {
    if (running?.child.kill('SIGKILL')) killed += 1
  }

  /** Answers what it said where it neither ended well nor for want of its database. */
  async function settle(): Promise<string | null> {
    if (!running) return null
    const { child, output } = running
    running = null
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    if (!isOver()) await Promise.race([once(child, 'exit'), sleep(ENDS_WITHIN_MS, undefined, { ref: false })])
    if (!isOver()) {
      hung += 1
      child.kill('SIGKILL')
      return `hung after ${output()}`
    }
    if (child.exitCode === 0) {
      pending = null
      acknowledged += RECORDS
      return null
    }
    return child.signalCode === null ? output() : null
  }

  /** Each record that was acknowledged once, and of the file under way none twice; what is counted by is as the records are. */
  async function readBack(service: Database) {
    const { rows } = await service.query(
      `select count(*) as records, count(*) - count(distinct source_id) as doubled,
              (select count(*) from (
                 select country, facet, day, category, value, threats, latest_at from threat_tally
                 except all
                 select country, facet, (published_at at time zone 'utc')::date, category, value, count(*)::integer, max(published_at)
                   from threat t, threat_facets(t) group by 1, 2, 3, 4, 5) stray) as tallies,
              (select count(*) from threat_country c where not exists (select from threat t where t.id = c.threat_id)) as strays
         from threat where source = $1`,
      [SOURCE],
    )
    const found = countsSchema.parse(rows[0])
    const lost = Math.max(0, acknowledged - found.records)
    const most = acknowledged + (pending === null ? 0 : RECORDS)
    return {
      read: acknowledged,
      lost,
      doubled: found.doubled + Math.max(0, found.records - most),
      miscounted: found.tallies + found.strays,
    }
  }

  return {
    begin,
    kill,
    settle,
    readBack,
    isPending: () => pending !== null,
    figures: () => ({ files, acknowledged, killed, hung }),
  }
}

function recordOf(file: number, at: number): string {
  const published = new Date(Date.now() - at * 60_000).toISOString()
  const number = file * RECORDS + at
  return JSON.stringify({
    source: SOURCE,
    source_id: String(number),
    category: 'Ransomware',
    title: `Imported ${number}`,
    group: `group ${at % 7}`,
    victim: `Victim ${number}`,
    country: ['DE', 'FR', 'JP'][at % 3],
    published,
  })
}
