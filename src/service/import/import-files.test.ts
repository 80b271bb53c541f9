import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { feedSchema } from '#contract/upstream/earlier/feed.ts'
import { metricsSchema } from '#contract/upstream/earlier/metrics.ts'
import { v1ThreatAnswerSchema } from '#contract/upstream/v1/threat.ts'
import { v1ThreatsSchema } from '#contract/upstream/v1/threat-list.ts'
import type { Database } from '#database/database.ts'
import { readHeldData } from '#service/data-version/data-version-queries.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { NOW, openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { type BadLine, importFiles } from './import-files.ts'

const line = (sourceId: string, published?: string) =>
  JSON.stringify({ source: 'feed', source_id: sourceId, category: 'Defacement', title: sourceId, published })

/** A record as the earlier set answers it. */
const answered = (title: string) => ({
  id: title,
  title,
  category: 'Other',
  country: '',
  country_code: '',
  threat_actor: '',
  excerpt: '',
  posted_at: '2026-06-01T00:00:00.000Z',
})

type Options = { shiftsToNow?: boolean; keepsDemo?: boolean }

async function importTexts(database: Database, texts: readonly string[], options: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-import-'))
  const badLines: BadLine[] = []
  let demoRemoved = 0
  try {
    const files = texts.map((_, index) => `${index}.ndjson`)
    await Promise.all(files.map((file, index) => writeFile(join(folder, file), texts[index] ?? '')))
    const counts = await importFiles(database, {
      files,
      folder,
      now: new Date(NOW),
      shiftsToNow: false,
      keepsDemo: false,
      ...options,
      onBadLine: (badLine) => badLines.push(badLine),
      onDemoRemoved: (count) => {
        demoRemoved += count
      },
      onProgress: () => {},
    })
    return { counts, badLines: badLines.map(({ number, problem }) => `${number}: ${problem}`), demoRemoved }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readFeed(database: Database) {
  const { get } = await openServiceClient(database)
  const { threats } = await get('/api/feed?limit=100', feedSchema)
  return threats.map(({ title, posted_at }) => `${title} ${posted_at}`)
}

test(
  'imports the valid lines, and reports the number of each invalid one',
  withDatabase('service', async (database) => {
    const text = `${line('a')}\r\n\nnonsense\n${line('b')}\n{"source":"feed"}\n${line('a')}`
    const { counts, badLines } = await importTexts(database, [text])
    expect(counts).toEqual({ added: 2, known: 1, bad: 2, undated: 3 })
    expect(badLines).toEqual(['3: not JSON', '5: source_id is missing'])
  }),
)

test(
  'adds nothing the second time',
  withDatabase('service', async (database) => {
    const text = Array.from({ length: 1201 }, (_, index) => line(`${index}`, '2026-01-01')).join('\n')
    expect((await importTexts(database, [text])).counts).toMatchObject({ added: 1201, known: 0 })
    expect((await importTexts(database, [text])).counts).toMatchObject({ added: 0, known: 1201 })
  }),
)

test(
  'moves the dates of all files by one offset, so that the newest record is now',
  withDatabase('service', async (database) => {
    const texts = [
      `${line('b', '2021-03-01T00:00:00Z')}\n${line('undated')}`,
      line('a', '2021-03-03T12:00:00Z'),
    ]
    await importTexts(database, texts, { shiftsToNow: true })
    expect((await readFeed(database)).toSorted()).toEqual([
      'a 2026-06-15T12:00:00.000Z',
      'b 2026-06-13T00:00:00.000Z',
      'undated ',
    ])
  }),
)

test(
  'removes the demo set before the first real record, and not for a file without one',
  withDatabase('service', async (database) => {
    await seedDemo(database, { now: new Date(NOW) })

    expect((await importTexts(database, ['nonsense'])).demoRemoved).toBe(0)
    expect((await importTexts(database, [line('a', '2026-01-01')], { keepsDemo: true })).demoRemoved).toBe(0)
    expect((await readHeldData(database)).isDemo).toBe(true)
    expect((await importTexts(database, [line('b', '2026-01-02')])).demoRemoved).toBe(5000)

    expect((await readHeldData(database)).isDemo).toBe(false)
    expect(await readFeed(database)).toEqual(['b 2026-01-02T00:00:00.000Z', 'a 2026-01-01T00:00:00.000Z'])
  }),
)

test(
  'gives a record without a date none: it comes last, and counts in no period',
  withDatabase('service', async (database) => {
    const texts = [
      line('undated a'),
      line('dated', '2026-06-01'),
      line('undated b'),
      line('old', '2025-01-01'),
    ]
    await importTexts(database, [texts.join('\n')])
    const { get } = await openServiceClient(database)
    const feed = async (query: string) => {
      const { threats, pagination } = await get(`/api/feed${query}`, feedSchema)
      return [pagination.total, ...threats.map(({ title, posted_at }) => `${title} ${posted_at.slice(0, 4)}`)]
    }
    expect((await feed('')).slice(0, 3)).toEqual([4, 'dated 2026', 'old 2025'])
    expect((await feed('')).slice(3).toSorted()).toEqual(['undated a ', 'undated b '])
    expect(await feed('?limit=1&offset=1')).toEqual([4, 'old 2025'])
    expect((await feed('?limit=1&offset=2'))[1]).toMatch(/^undated/)
    // Nobody knows that they are older; nobody knows that they are of a time.
    expect((await feed('?date_from=2026-01-01')).slice(0, 2)).toEqual([3, 'dated 2026'])
    expect(await feed('?date_from=2026-01-01&date_to=2026-12-31')).toEqual([1, 'dated 2026'])
    expect((await feed('?search=undated&date_from=2026-01-01'))[0]).toBe(2)
    expect(await feed('?search=undated&date_to=2026-12-31')).toEqual([0])

    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 3; pages++) {
      const at = `/api/v1/threats?limit=1&since=2026-01-01${cursor && `&cursor=${cursor}`}`
      const { data, meta } = await get(at, v1ThreatsSchema)
      seen.push(...data.map(({ title, published_at }) => `${title} ${published_at.slice(0, 4)}`))
      expect([meta.total, meta.cursor === null]).toEqual([3, pages === 2])
      cursor = meta.cursor ?? ''
      const [threat] = data
      expect((await get(`/api/v1/threats/${threat?.id}`, v1ThreatAnswerSchema)).data.id).toBe(threat?.id)
    }
    expect(seen.toSorted()).toEqual(['dated 2026', 'undated a ', 'undated b '])
    const metrics = await get('/api/metrics', metricsSchema)
    expect([metrics.total_threats, metrics.last_threat_at]).toEqual([4, '2026-06-01T00:00:00.000Z'])
  }),
)

test(
  'marks a severity as derived if the source has none, and keeps an existing mark',
  withDatabase('service', async (database) => {
    const stated = { ...answered('stated'), severity: 'critical' }
    const derived = { ...answered('rated before'), severity: 'low', severity_derived: true }
    await importTexts(database, [
      [line('neutral'), JSON.stringify(stated), JSON.stringify(derived)].join('\n'),
    ])
    const { get } = await openServiceClient(database)
    const expected = [
      ['neutral', true],
      ['rated before', true],
      ['stated', undefined],
    ]
    const { threats } = await get('/api/feed', feedSchema)
    const { data } = await get('/api/v1/threats', v1ThreatsSchema)
    for (const listed of [threats, data])
      expect(listed.map(({ title, severity_derived }) => [title, severity_derived]).toSorted()).toEqual(
        expected,
      )
  }),
)

test(
  'search finds what a record says, and nothing that import wrote or cut',
  withDatabase('service', async (database) => {
    const description = `${'In 1990. '.repeat(22)}At the time it was ${'long ago. '.repeat(50)}`
    const records = [
      { category: 'Ransomware', group: 'glassheron', victim: 'Northwind', website: 'northwind.example' },
      { category: 'Other', description, incident_type: 'Disruption' },
    ]
    const text = records.map((record, at) => JSON.stringify({ source: 'f', source_id: `${at}`, ...record }))
    await importTexts(database, [text.join('\n')])
    const { get } = await openServiceClient(database)
    const found = async (search: string) =>
      (await get(`/api/feed?search=${encodeURIComponent(search)}`, feedSchema)).pagination.total
    for (const present of ['northwind.example', 'glassheron', 'disruption', '"at the time"']) {
      expect(await found(present), present).toBe(1)
    }
    for (const absent of ['"confirmed incident"', 'website', 'against', '"incident type"', 'AT&T']) {
      expect(await found(absent), absent).toBe(0)
    }
  }),
)
