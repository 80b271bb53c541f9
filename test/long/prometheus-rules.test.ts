import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

const RULES = fileURLToPath(new URL('../../deploy/prometheus-rules.yml', import.meta.url))
const run = promisify(execFile)

/** Values a minute, in the notation of promtool: `0+60x90` is 0, 60, … to 5,400; `_x9` is ten minutes without one. */
type Series = Readonly<Record<string, string>>
type Situation = { name: string; series: Series; afterMinutes: number; fires: number }

const ERRORS = (route: string, status: string) =>
  `lantern_http_request_duration_seconds_count{instance="a",method="GET",route="${route}",status="${status}"}`
/** Minutes of time since the epoch, as promtool begins at it: what was read at 0 is as old as the test. */
const READ_AT = 'lantern_window_last_read_timestamp_seconds{instance="a"}'
const LEFT = 'lantern_vendor_calls_left{instance="a",set="v1",period="day"}'
const LIMIT = 'lantern_vendor_calls_limit{instance="a",set="v1",period="day"}'
const TROUBLE = 'lantern_window_trouble{instance="a"}'
const KEY = 'lantern_vendor_key_state{instance="a",state="invalid"}'
const MISSING = 'lantern_window_missing_threats{instance="a"}'
const UP = 'lantern_database_up{instance="a"}'
const WRITABLE = 'lantern_database_writable{instance="a"}'
const BACKUP = 'lantern_last_backup_timestamp_seconds{instance="a"}'
const FAILED = 'lantern_deliveries{instance="a",state="failed"}'
const target = (instance: string) => `up{job="lantern",instance="${instance}"}`

const SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  LanternKeyRefused: [
    { name: 'the key is refused', series: { [KEY]: '1x30' }, afterMinutes: 10, fires: 1 },
    { name: 'it is taken', series: { [KEY]: '0x30' }, afterMinutes: 10, fires: 0 },
  ],
  LanternDataStale: [
    {
      name: 'the vendor fails',
      series: { [READ_AT]: '0x200', [TROUBLE]: '1x200', [LEFT]: '900x200', [LIMIT]: '1000x200' },
      afterMinutes: 140,
      fires: 1,
    },
    {
      name: 'the vendor fails, and no call is left either',
      series: { [READ_AT]: '0x200', [TROUBLE]: '1x200', [LEFT]: '0x200', [LIMIT]: '1000x200' },
      afterMinutes: 140,
      fires: 1,
    },
    {
      name: 'nothing is read though many calls are left',
      series: { [READ_AT]: '0x200', [TROUBLE]: '0x200', [LEFT]: '900x200', [LIMIT]: '1000x200' },
      afterMinutes: 140,
      fires: 1,
    },
    {
      name: 'nothing is read, and the vendor tells no limit',
      series: { [READ_AT]: '0x200', [TROUBLE]: '0x200' },
      afterMinutes: 140,
      fires: 1,
    },
    {
      name: 'calls were used up for longer than any day lasts',
      series: { [READ_AT]: '0x1600', [TROUBLE]: '0x1600', [LEFT]: '0x1600', [LIMIT]: '1000x1600' },
      afterMinutes: 1_580,
      fires: 1,
    },
    {
      name: 'calls are merely used up',
      series: { [READ_AT]: '0x800', [TROUBLE]: '0x800', [LEFT]: '0x800', [LIMIT]: '1000x800' },
      afterMinutes: 780,
      fires: 0,
    },
    {
      name: 'the calls left are kept for people',
      series: { [READ_AT]: '0x800', [TROUBLE]: '0x800', [LEFT]: '300x800', [LIMIT]: '1000x800' },
      afterMinutes: 780,
      fires: 0,
    },
    {
      name: 'it was read just now',
      series: { [READ_AT]: '0+60x200', [TROUBLE]: '0x200', [LEFT]: '900x200', [LIMIT]: '1000x200' },
      afterMinutes: 140,
      fires: 0,
    },
  ],
  LanternCallsUsedUp: [
    { name: 'no call is left', series: { [LEFT]: '0x60' }, afterMinutes: 20, fires: 1 },
    { name: 'one is', series: { [LEFT]: '1x60' }, afterMinutes: 20, fires: 0 },
  ],
  LanternRecordsMissing: [
    {
      name: 'records are unreadable for a day',
      series: { [MISSING]: '3x1500' },
      afterMinutes: 1_450,
      fires: 1,
    },
    {
      name: 'they are read an hour later',
      series: { [MISSING]: '3x60 0x1440' },
      afterMinutes: 1_450,
      fires: 0,
    },
  ],
  LanternDatabaseAway: [
    { name: 'it does not answer', series: { [UP]: '0x10' }, afterMinutes: 5, fires: 1 },
    { name: 'it answers', series: { [UP]: '1x10' }, afterMinutes: 5, fires: 0 },
  ],
  LanternDatabaseUnwritable: [
    { name: 'it takes no writes', series: { [UP]: '1x10', [WRITABLE]: '0x10' }, afterMinutes: 5, fires: 1 },
    { name: 'it is away', series: { [UP]: '0x10', [WRITABLE]: '0x10' }, afterMinutes: 5, fires: 0 },
    { name: 'it takes them', series: { [UP]: '1x10', [WRITABLE]: '1x10' }, afterMinutes: 5, fires: 0 },
  ],
  LanternBackupOld: [
    {
      name: 'the last was made 27 hours ago',
      series: { [BACKUP]: '60x1700' },
      afterMinutes: 1_620,
      fires: 1,
    },
    {
      name: 'it was made 27 hours ago, and a second node does not know it yet',
      series: { [BACKUP]: '60x1700', 'lantern_last_backup_timestamp_seconds{instance="b"}': '0x1700' },
      afterMinutes: 1_620,
      fires: 1,
    },
    { name: 'it was made 25 hours ago', series: { [BACKUP]: '60x1700' }, afterMinutes: 1_500, fires: 0 },
    { name: 'another was made', series: { [BACKUP]: '60x1600 96000x100' }, afterMinutes: 1_620, fires: 0 },
    { name: 'none was ever made', series: { [BACKUP]: '0x1700' }, afterMinutes: 1_620, fires: 0 },
  ],
  LanternBackupNever: [
    { name: 'none was made for 27 hours', series: { [BACKUP]: '0x1700' }, afterMinutes: 1_620, fires: 1 },
    {
      name: 'none was made, and Lantern was restarted',
      series: { [BACKUP]: '0x700 _x10 0x1000' },
      afterMinutes: 1_620,
      fires: 1,
    },
    { name: 'the installation is of today', series: { [BACKUP]: '0x1700' }, afterMinutes: 1_500, fires: 0 },
    { name: 'the first was made', series: { [BACKUP]: '0x1500 90000x200' }, afterMinutes: 1_620, fires: 0 },
  ],
  LanternDeliveriesFailed: [
    {
      name: 'one failed, ten minutes after the first value',
      series: { [FAILED]: '0x9 1x20' },
      afterMinutes: 12,
      fires: 1,
    },
    {
      name: 'one failed beside a node that began to tell later',
      series: {
        [FAILED]: '4x89 5x20',
        'lantern_deliveries{instance="b",state="failed"}': '_x89 5x20',
      },
      afterMinutes: 95,
      fires: 1,
    },
    {
      name: 'one failed just after old ones were forgotten',
      series: { [FAILED]: '9x59 4x19 5x20' },
      afterMinutes: 82,
      fires: 1,
    },
    { name: 'those that failed are old', series: { [FAILED]: '5x200' }, afterMinutes: 150, fires: 0 },
    { name: 'a new node finds old ones', series: { [FAILED]: '5x10' }, afterMinutes: 5, fires: 0 },
    { name: 'an hour has passed since', series: { [FAILED]: '0x9 1x100' }, afterMinutes: 80, fires: 0 },
  ],
  LanternErrors: [
    {
      name: 'half of what people ask fails, among health checks and files',
      series: {
        [ERRORS('/bff/threats', '200')]: '0+10x60',
        [ERRORS('/bff/threats', '500')]: '0+10x60',
        [ERRORS('page or file', '200')]: '0+1000x60',
      },
      afterMinutes: 30,
      fires: 1,
    },
    {
      name: 'one in fifty fails',
      series: { [ERRORS('/bff/threats', '200')]: '0+49x60', [ERRORS('/bff/threats', '500')]: '0+1x60' },
      afterMinutes: 30,
      fires: 0,
    },
    {
      name: 'health checks say 503 while it starts',
      series: { [ERRORS('/bff/threats', '200')]: '0+10x60', [ERRORS('page or file', '503')]: '0+10x60' },
      afterMinutes: 30,
      fires: 0,
    },
  ],
  LanternAway: [
    {
      name: 'one of three is away',
      series: {
        [target('a')]: '1x10',
        [target('b')]: '0x10',
        [target('c')]: '1x10',
        // What those that live offer.
        'lantern_build_info{job="lantern",instance="a"}': '1x10',
        'lantern_build_info{job="lantern",instance="c"}': '1x10',
      },
      afterMinutes: 5,
      fires: 1,
    },
    { name: 'all are', series: { [target('a')]: '0x10', [target('b')]: '0x10' }, afterMinutes: 5, fires: 2 },
    { name: 'no target is known', series: { 'up{job="node"}': '1x10' }, afterMinutes: 5, fires: 1 },
    {
      name: 'one is replaced within two minutes',
      series: { [target('a')]: '1x1 0x1 1x10' },
      afterMinutes: 5,
      fires: 0,
    },
  ],
}

const CASES = Object.entries(SITUATIONS).flatMap(([alert, situations]) =>
  situations.map((situation) => ({ alert, ...situation })),
)

beforeAll(async () => {
  await run('promtool', ['--version']).catch(() => {
    throw new Error(
      'promtool is not installed, and deploy/prometheus-rules.yml is tested with it: apt-get install prometheus',
    )
  })
})

test('each rule has a situation in which it fires, and one in which it does not', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', RULES])
  const count = Number(/(\d+) rules found/.exec(stdout)?.[1])
  expect(Object.keys(SITUATIONS)).toHaveLength(count)
  for (const [alert, situations] of Object.entries(SITUATIONS)) {
    expect(
      situations.some(({ fires }) => fires > 0),
      alert,
    ).toBe(true)
    expect(
      situations.some(({ fires }) => fires === 0),
      alert,
    ).toBe(true)
  }
})

test.each(CASES)('$alert, where $name: $fires', async ({ alert, series, afterMinutes, fires }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-rules-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'test.yml')
  const count = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`
  // JSON is YAML.
  await writeFile(
    file,
    JSON.stringify({
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [
            { expr: count, eval_time: `${afterMinutes}m`, exp_samples: [{ labels: '{}', value: fires }] },
          ],
        },
      ],
    }),
  )
  await run('promtool', ['test', 'rules', file]).catch((error: { stdout?: string; stderr?: string }) => {
    expect.fail(`${error.stdout}${error.stderr}`)
  })
})
