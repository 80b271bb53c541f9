import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenDatabase } from '#database/open-database.ts'
import { environmentWith } from '#settings/settings.ts'
import { openMigrated } from '#start/open-migrated.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'

const RECORDS = 300_000
/** Whatever the count of records. Node takes some 90 MB by itself, and the passphrase's hash 64 MB for a moment. */
const PEAK_MAX_MB = 400
const PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("peak",process.resourceUsage().maxRSS))'

/** How long a large service takes to be backed up and restored, and what memory that takes. */
export async function measureBackup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-bench-backup-'))
  const file = join(folder, 'large.backup')
  try {
    await withBenchDatabase('service', async (service) => {
      const url = new URL(service.pool.options.connectionString ?? '')
      const from = await makeDatabase(service, url, 'from_dashboard')
      await (await openMigrated('bff', from)).close()
      await fill(service)
      await service.query('vacuum analyze')
      const sizes = await service.query('select pg_database_size(current_database()) / 1e6 as mb')
      const to = [
        await makeDatabase(service, url, 'to_dashboard'),
        await makeDatabase(service, url, 'to_service'),
      ] as const
      const settings = { DATA_DIR: folder, BACKUP_PASSPHRASE: 'what the measurement seals with' }

      console.log(
        `\nBackup of ${RECORDS.toLocaleString('en')} records, ${JSON.stringify(sizes.rows[0])} in PostgreSQL`,
      )
      await measure('backup', [file], { ...settings, DATABASE_URL: from, SERVICE_DATABASE_URL: url.href })
      console.log(`  file      ${((await stat(file)).size / 1e6).toFixed(0)} MB, gzipped and sealed`)
      await measure('restore', [file], { ...settings, DATABASE_URL: to[0], SERVICE_DATABASE_URL: to[1] })
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function measure(
  command: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<void> {
  const source = fileURLToPath(new URL(`../src/commands/${command}.ts`, import.meta.url))
  const startedAtMs = performance.now()
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', PEAK, source, ...args], {
    env: environmentWith(settings),
  })
  const seconds = (performance.now() - startedAtMs) / 1_000
  const peakMb = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1_024
  console.log(
    `  ${command.padEnd(9)} ${seconds.toFixed(1)} s, peak of memory ${peakMb.toFixed(0)} MB (at most ${PEAK_MAX_MB}: ${verdict(peakMb <= PEAK_MAX_MB)})`,
  )
}

async function makeDatabase(on: OpenDatabase, url: URL, name: string): Promise<string> {
  await on.query(`create database ${name}`)
  const made = new URL(url)
  made.pathname = `/${name}`
  return made.href
}

/** Records of some 2 KB, with what the service keeps to count them by. */
async function fill(service: OpenDatabase): Promise<void> {
  await service.query('drop index threat_token')
  await service.query(`
    insert into threat (id, source, source_id, title, summary, excerpt, content, category, severity, countries, threat_actors,
        industries, organizations, domains, published_at, evidence, is_demo, search_text)
    select 'thr_' || lpad(n::text, 20, '0'), 'bench', n::text, 'Title ' || n, words, left(words, 200),
           repeat(words, 4), (array['Ransomware', 'Data Breach', 'Other'])[1 + n % 3], 'high', array['DE', 'FR'],
           array['actor ' || n % 400], array['Law'], array['Company ' || n % 3300], array['c' || n || '.example'],
           now() - n * interval '5 minutes', '[]', false, words
      from generate_series(1, ${RECORDS}) n,
           lateral (select string_agg(substr(md5(((n * 31 + at * at) % 5003)::text), 1, 3 + at % 7), ' ') as words
                      from generate_series(1, 60) at) made`)
  await service.query(`
    insert into threat_country (threat_id, country, category, published_at)
    select id, lower(country), category, published_at from threat, unnest(countries) country`)
  await service.query(`
    insert into threat_tally (country, facet, day, category, value, threats, latest_at)
    select country, facet, (published_at at time zone 'utc')::date, category, value, count(*), max(published_at)
      from threat t, threat_facets(t) group by 1, 2, 3, 4, 5`)
  await service.query('create index threat_token on threat using gin (search_tokens(search_text))')
}
