import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const BUILD = { version: '1.2.3', commit: '0123456789ab' }

/** A dashboard with figures, beside a vendor with ten calls a day. */
async function startWithFigures(database: OpenDatabase) {
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', {
    headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '40000' },
    json: v1List([v1Record({ published_at: new Date().toISOString() }), { id: null }]),
  })
  const metricsPort = await findFreePort()
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const started = await startSignedIn(database, { upstream, metricsPort, build: BUILD })
  onTestFinished(started.close)
  const url = `http://localhost:${metricsPort}`
  const figures = async () => (await fetch(`${url}/metrics`)).text()
  const figure = async (line: string) => Number(lineOf(await figures(), line))
  return { ...started, url, figures, figure }
}

function lineOf(text: string, line: string): string | undefined {
  return text
    .split('\n')
    .find((each) => each.startsWith(`${line} `))
    ?.slice(line.length + 1)
}

test('exports metrics of requests, calls, the key, stored threats and the database', async () => {
  const { ask, url, figures, figure } = await startWithFigures(await takeDatabase('bff'))
  await expect.poll(() => figure('lantern_window_threats')).toBe(1)
  expect((await ask('/bff/source')).status).toBe(200)
  const source = 'lantern_http_request_duration_seconds_count{method="GET",route="/bff/source",status="200"}'
  await expect.poll(() => figure(source)).toBe(1)
  expect((await ask('/bff/nothing-here')).status).toBe(404)
  const unknown =
    'lantern_http_request_duration_seconds_count{method="GET",route="kept or unknown",status="404"}'
  await expect.poll(() => figure(unknown)).toBe(1)

  for (const path of ['/metrics', '/nothing']) {
    const { headers } = await fetch(url + path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  }
  const text = await figures()
  expect(Object.fromEntries(FIGURES.map(([line]) => [line, lineOf(text, line)]))).toEqual(
    Object.fromEntries(FIGURES),
  )
  const readAt = Number(lineOf(text, 'lantern_window_last_read_timestamp_seconds'))
  expect(Math.abs(Date.now() / 1_000 - readAt)).toBeLessThan(60)
  expect(lineOf(text, 'process_resident_memory_bytes')).toMatch(/^\d+$/)
  expect(text).not.toContain('key-of-the-tests')
})

const FIGURES = [
  ['lantern_build_info{version="1.2.3",commit="0123456789ab"}', '1'],
  ['lantern_database_up', '1'],
  ['lantern_database_writable', '1'],
  ['lantern_vendor_key_state{state="valid"}', '1'],
  ['lantern_vendor_key_state{state="invalid"}', '0'],
  ['lantern_vendor_set_state{set="v1",state="permitted"}', '1'],
  ['lantern_vendor_calls_left{set="v1",period="day"}', '8'],
  ['lantern_vendor_calls_limit{set="v1",period="day"}', '10'],
  ['lantern_vendor_calls_today{set="v1",priority="window",outcome="answered"}', '2'],
  ['lantern_window_missing_threats', '1'],
  ['lantern_window_status{status="partial"}', '1'],
  ['lantern_open_pages', '0'],
  ['lantern_destinations{state="failing"}', '0'],
  ['lantern_alert_problems{kind="notEvaluated"}', '0'],
  ['lantern_alert_problems{kind="evaluationStopped"}', '0'],
  ['lantern_alert_problems{kind="workerStopped"}', '0'],
  ['lantern_last_backup_timestamp_seconds', '0'],
] as const

test('counts health checks and files apart from what can fail', async () => {
  const { ask, figure } = await startWithFigures(await takeDatabase('bff'))
  for (const path of ['/healthz', '/readyz', '/sign-in']) expect((await ask(path)).ok, path).toBe(true)
  const count = (route: string) =>
    figure(`lantern_http_request_duration_seconds_count{method="GET",route="${route}",status="200"}`)
  await expect.poll(() => count('/sign-in')).toBe(1)
  await expect.poll(() => count('page or file')).toBe(2)
})

test('exports metrics while the database is down, and reports that it is down', async () => {
  const database = await takeDatabase('bff')
  const { figure } = await startWithFigures(database)
  await expect.poll(() => figure('lantern_window_threats')).toBe(1)
  await database.query('alter table upstream_call rename to upstream_call_away')
  expect(await figure('lantern_database_up')).toBe(0)
  expect(await figure('lantern_window_threats')).toBe(1)
  await database.query('alter table upstream_call_away rename to upstream_call')
  expect(await figure('lantern_database_up')).toBe(1)
})

test('serves nothing else on its port, and nothing of it on the port of browsers', async () => {
  const { url, ask } = await startWithFigures(await takeDatabase('bff'))
  for (const path of ['/', '/bff/source', '/metrics/', '/metrics?x=1']) {
    expect((await fetch(`${url}${path}`)).status).toBe(404)
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
  expect(await (await ask('/metrics')).text()).not.toContain('lantern_build_info')
})

test('answers to addresses and to names that no page of a stranger can have', async () => {
  const { url } = await startWithFigures(await takeDatabase('bff'))
  const statusFor = async (host: string) => {
    const request = get({ host: '127.0.0.1', port: new URL(url).port, path: '/metrics', headers: { host } })
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  const known = ['localhost', '127.0.0.1:9464', '[::1]:9464', '10.1.2.3', 'lantern:9464']
  const strange = ['rebound.example', 'rebound.example:9464', '127.0.0.1.rebound.example', 'localhost.']
  const answers = await Promise.all([...known, ...strange].map(async (host) => [host, await statusFor(host)]))
  expect(answers).toEqual([...known.map((host) => [host, 200]), ...strange.map((host) => [host, 421])])
})

test.each(['grafana-dashboard.json', 'prometheus-rules.yml'])(
  '%s uses only metrics that exist',
  async (file) => {
    const { figures } = await startWithFigures(await takeDatabase('bff'))
    const text = await readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
    const matches = text.match(/\b(?:lantern|nodejs|process)_[a-z0-9_]+/g) ?? []
    expect(matches.length).toBeGreaterThan(5)
    const known = (await figures()).match(/^# TYPE \S+/gm)?.map((line) => line.slice('# TYPE '.length)) ?? []
    const names = matches.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  },
)
