import { expect, test } from 'vitest'
import type { ExportFormat } from '#app/ui/export/export-form.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import type { ExportLine } from '#contract/bff/threat-export.ts'
import { aConcern } from '#test/fixtures/threat-fixtures.ts'
import { THREAT_COLUMNS } from './threat-columns.ts'
import { writeExport } from './write-export.ts'

const THREAT: Threat = {
  id: 'thr_1',
  set: 'v1',
  title: '=cmd|calc of acme.example, see http://evil.example/x\u202e',
  excerpt: 'Files of files.acme.example',
  category: 'Ransomware',
  severity: 'high',
  actors: ['Ashfall', '@lock'],
  countries: [
    { code: 'DE', name: 'Germany' },
    { code: null, name: 'Atlantis' },
  ],
  industries: ['Energy'],
  organizations: ['Northwind, Foods'],
  domains: ['northwind.example'],
  publishedAt: '2026-03-10T12:00:00.000Z',
  redacted: [],
}
/** Something in each column, and nothing that needs quotes. */
const FULL = {
  severity: 'high.example',
  title: 'A leak at acme.example',
  category: 'Ransomware.example',
  actors: ['@lock', 'Ashfall'],
  industries: ['Energy', 'Water'],
  organizations: ['Northwind', 'Contoso'],
  domains: ['north\u202ewind.example', 'contoso.example'],
  redacted: ['title', 'domains'],
} satisfies Partial<Threat>
const HEAD = {
  exportedAt: '2026-03-11T09:30:00.000Z',
  coverage: {
    status: 'complete' as const,
    from: '2026-02-10T00:00:00.000Z',
    to: '2026-03-11T09:29:00.000Z',
    gaps: [],
  },
  checked: { from: '2026-02-10T00:00:00.000Z', at: '2026-03-11T09:00:00.000Z' },
  partialReason: null,
  total: 2,
}
const WHOLE: ExportLine[] = [
  { head: HEAD },
  { threat: THREAT },
  { threat: { ...THREAT, id: 'thr_2', title: null, organizations: [] } },
  { end: { threats: 2 } },
]

async function* sent(lines: readonly ExportLine[], failure?: Error): AsyncGenerator<ExportLine> {
  yield* lines
  if (failure) throw failure
}

const REQUESTED = {
  columns: THREAT_COLUMNS.map(({ id }) => id),
  question: { category: ['Ransomware'] },
  origin: 'https://lantern.example',
}

async function write(
  format: ExportFormat,
  lines: AsyncIterable<ExportLine> = sent(WHOLE),
  columns?: string[],
) {
  const written = await writeExport(lines, {
    ...REQUESTED,
    format,
    ...(columns && { columns }),
    onProgress() {},
  })
  return { ...written, text: await written.file.text() }
}

test('a CSV holds the chosen columns, runs nothing and leads nowhere', async () => {
  const { text, name, partialReason, file } = await write('csv', sent(WHOLE), [
    'title',
    'actors',
    'organizations',
    'domains',
    'excerpt',
  ])

  expect(text.replace('\ufeff', '').split('\r\n')).toEqual([
    'Title,Actors,Organisations,Domains,Excerpt',
    `"'=cmd|calc of acme[.]example, see hxxp[:]//evil[.]example/x‹U+202E›",Ashfall; @lock,"Northwind, Foods",northwind[.]example,Files of files[.]acme[.]example`,
    ',Ashfall; @lock,,northwind[.]example,Files of files[.]acme[.]example',
    '',
  ])
  expect([name, file.type]).toEqual(['lantern-threats-20260311T0930Z.csv', 'text/csv;charset=utf-8'])
  expect(partialReason).toBeNull()
})

test('a CSV of every column has each under its name, as the pages show it', async () => {
  const { text } = await write('csv', sent([{ head: HEAD }, { threat: { ...THREAT, ...FULL } }]))
  const [labels = '', values = ''] = text.replace('\ufeff', '').split('\r\n')
  const names = labels.split(',')
  const cells = values.split(',')

  expect(cells).toHaveLength(names.length)
  expect(Object.fromEntries(names.map((name, at) => [name, cells[at]]))).toEqual({
    'Published (UTC)': '2026-03-10T12:00:00.000Z',
    Severity: 'high[.]example',
    'Severity basis': '',
    Title: 'A leak at acme[.]example',
    Category: 'Ransomware[.]example',
    Actors: "'@lock; Ashfall",
    Countries: 'Germany; Atlantis',
    'Country codes': 'DE',
    Industries: 'Energy; Water',
    Organisations: 'Northwind; Contoso',
    Domains: 'north‹U+202E›wind[.]example; contoso[.]example',
    'Concerns us': '',
    Excerpt: 'Files of files[.]acme[.]example',
    'Withheld by the plan': 'title; domains',
    API: 'v1',
    Id: 'thr_1',
    Link: 'https://lantern.example/threats/thr_1?set=v1',
  })
})

test('a CSV leaves a cell empty for what a record does not say', async () => {
  const silent = { ...THREAT, severity: null, title: null, category: null, excerpt: null }
  const { text } = await write('csv', sent([{ head: HEAD }, { threat: silent }]), [
    'severity',
    'title',
    'category',
    'excerpt',
  ])
  expect(text.split('\r\n')[1]).toBe(',,,')
})

test('each format says by which lists a threat concerns the reader, STIX without names', async () => {
  const concerns = [aConcern(), aConcern({ kind: 'own', entryName: '=Okapi', certainty: 'to-confirm' })]
  const lines = () =>
    sent([{ head: HEAD }, { threat: { ...THREAT, concerns } }, { threat: THREAT }, { end: { threats: 2 } }])
  const { text } = await write('csv', lines(), ['concerns', 'id'])
  expect(text.replace('\ufeff', '').split('\r\n')).toEqual([
    'Concerns us,Id',
    '"Supplier: Okapi Ltd (certain: same domain okapi[.]example, list Suppliers); Own brand: =Okapi (to confirm: same domain okapi[.]example, list Suppliers)",thr_1',
    ',thr_1',
    '',
  ])
  const json = JSON.parse((await write('json', lines())).text)
  expect(json.threats.map((threat: { concerns?: unknown }) => threat.concerns)).toEqual([concerns, undefined])
  const stix = (await write('stix', lines())).text
  expect(stix).toContain('"concerns:supplier:certain","concerns:own:to-confirm"')
  expect(stix).not.toContain('Okapi')
})

test('an export reports its progress at every 500th record', async () => {
  const progressed: [number, number][] = []
  const head = { ...HEAD, total: 1_200 }
  const threats = Array.from({ length: 1_200 }, (): ExportLine => ({ threat: THREAT }))
  await writeExport(sent([{ head }, ...threats, { end: { threats: 1_200 } }]), {
    ...REQUESTED,
    columns: ['id'],
    format: 'csv',
    onProgress: (...progress) => progressed.push(progress),
  })
  expect(progressed).toEqual([
    [500, 1_200],
    [1_000, 1_200],
  ])
})

test('JSON has a record a line, for programs that read by the line', async () => {
  const { text } = await write('json')
  const [first = '', ...lines] = text.split('\n')
  expect(first).toMatch(/"threats":\[$/)
  expect(lines).toEqual([
    `${JSON.stringify(THREAT)},`,
    expect.stringMatching(/^\{"id":"thr_2".*\}$/),
    '],"partialReason":null}',
    '',
  ])
})

test('JSON holds the unchanged records and the query', async () => {
  const { text } = await write('json')
  expect(JSON.parse(text)).toEqual({
    exportedAt: HEAD.exportedAt,
    coverage: HEAD.coverage,
    checked: HEAD.checked,
    question: { category: ['Ransomware'] },
    partialReason: null,
    threats: [THREAT, { ...THREAT, id: 'thr_2', title: null, organizations: [] }],
  })
})

test('STIX names each thing once, and refers to nothing that is not there', async () => {
  const { text } = await write('stix')
  const { objects }: { objects: Record<string, unknown>[] } = JSON.parse(text)
  const ids = objects.map(({ id }) => id)
  expect(text).toContain('"url":"https://lantern.example/threats/thr_1?set=v1"')
  const counts = Object.groupBy(objects, ({ type }) => String(type))

  expect(new Set(ids).size).toBe(ids.length)
  expect(Object.fromEntries(Object.entries(counts).map(([type, found]) => [type, found?.length]))).toEqual({
    'marking-definition': 1,
    identity: 3,
    'threat-actor': 2,
    location: 1,
    'domain-name': 1,
    relationship: 6,
    report: 2,
  })
  const references = objects.flatMap(({ object_refs, source_ref, target_ref, created_by_ref }) =>
    [object_refs, source_ref, target_ref, created_by_ref].flat().filter((id) => id !== undefined),
  )
  expect(references.every((id) => ids.includes(id))).toBe(true)
})

test('a severity that a rule made is marked as derived in each format', async () => {
  const threat = { ...THREAT, severity: 'high', isSeverityDerived: true }
  const lines = () => sent([{ head: HEAD }, { threat }, { end: { threats: 1 } }])
  const [, row] = (await write('csv', lines())).text.split('\r\n')
  expect(row).toContain('high,derived by rule')
  expect(JSON.parse((await write('json', lines())).text).threats[0].isSeverityDerived).toBe(true)
  expect((await write('stix', lines())).text).toContain('"severity:high","severity-derived"')
})

test('STIX has a severity only as a label, and an actor only by name', async () => {
  const severities = ['low', 'medium', 'high', 'critical', '7.5', null]
  const threats = severities.map(
    (severity, at): ExportLine => ({ threat: { ...THREAT, id: `${at}`, severity } }),
  )
  const { text } = await write(
    'stix',
    sent([{ head: HEAD }, ...threats, { end: { threats: threats.length } }]),
  )
  const { objects }: { objects: Record<string, unknown>[] } = JSON.parse(text)
  const ofType = (wanted: string) => objects.filter(({ type }) => type === wanted)
  for (const report of ofType('report')) expect(report).not.toHaveProperty('confidence')
  expect(ofType('report')[3]?.labels).toContain('severity:critical')
  for (const actor of ofType('threat-actor')) expect(actor).not.toHaveProperty('threat_actor_types')
})

test('STIX is marked TLP:AMBER: each object refers to the one definition', async () => {
  const { text } = await write('stix')
  const { objects }: { objects: Record<string, unknown>[] } = JSON.parse(text)
  const [marking, ...others] = objects
  expect(marking).toEqual({
    type: 'marking-definition',
    spec_version: '2.1',
    id: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
    created: '2022-10-01T00:00:00.000Z',
    name: 'TLP:AMBER',
    extensions: {
      'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d': {
        extension_type: 'property-extension',
        tlp_2_0: 'amber',
      },
    },
  })
  expect(others.length).toBeGreaterThan(10)
  for (const object of others) expect(object.object_marking_refs, String(object.type)).toEqual([marking?.id])
})

test('STIX ids are the same in every export, and the one that the standard prescribes for a domain', async () => {
  const ids = async () => JSON.parse((await write('stix')).text).objects.map(({ id }: { id: string }) => id)
  expect(await ids()).toEqual(await ids())
  // Made with the uuid module of Python: uuid5(namespace of STIX, '{"value":"northwind.example"}').
  expect(await ids()).toContain('domain-name--8e0a9c67-ba1d-504a-9736-e900a795918b')
})

test('stores the threats of a broken download in a file that is marked as partial', async () => {
  const begun = WHOLE.slice(0, 2)
  for (const lines of [
    sent(begun),
    sent(begun, new Error('cut')),
    sent([...begun, { end: { threats: 2 } }]),
  ]) {
    const { name, partialReason, count, text } = await write('json', lines)
    expect(name).toBe('lantern-threats-20260311T0930Z-partial.json')
    expect(partialReason).toBe('The connection was cut: the rest is missing.')
    expect([count, JSON.parse(text)]).toMatchObject([1, { threats: [THREAT], partialReason }])
  }
})

test('what the server calls partial is named so, with its reason', async () => {
  const partialReason = 'Two days are not stored.'
  const written = await write('csv', sent([{ head: { ...HEAD, partialReason } }, ...WHOLE.slice(1)]))
  expect(written.partialReason).toBe(partialReason)
  expect(written.name).toBe('lantern-threats-20260311T0930Z-partial.csv')
})

test('an export of which nothing came is an error', async () => {
  await expect(write('csv', sent([], new Error('cut')))).rejects.toThrow('cut')
  await expect(write('csv', sent([{ head: HEAD }], new Error('cut')))).rejects.toThrow('cut')
  await expect(write('csv', sent([]))).rejects.toThrow('The export did not begin')
  await expect(write('csv', sent([{ threat: THREAT }]))).rejects.toThrow('The export did not begin')
})

test('an id is written in full, inert for people and as it is for programs', async () => {
  const ids = ['posts/../7?x=1', '..', 'https://evil.example/7', '=1+1', 'a\r\nb']
  const long = { ...THREAT, id: `sha256:${'a'.repeat(64)}`, fullId: 'y/'.repeat(300) }
  const lines = (): ExportLine[] => [
    { head: HEAD },
    ...ids.map((id) => ({ threat: { ...THREAT, id } })),
    { threat: long },
    { end: { threats: 6 } },
  ]
  const csv = await write('csv', sent(lines()), ['id', 'link'])
  expect(csv.text.replace('\ufeff', '').split('\r\n').slice(1, -1)).toEqual([
    'posts/../7?x=1,https://lantern.example/threats/posts%2F..%2F7%3Fx%3D1?set=v1',
    '..,https://lantern.example/threats/~..?set=v1',
    'hxxps[:]//evil[.]example/7,https://lantern.example/threats/https%3A%2F%2Fevil.example%2F7?set=v1',
    "'=1+1,https://lantern.example/threats/%3D1%2B1?set=v1",
    'a b,https://lantern.example/threats/a%0D%0Ab?set=v1',
    `${'y/'.repeat(300)},https://lantern.example/threats/sha256%3A${'a'.repeat(64)}?set=v1`,
  ])
  const json = JSON.parse((await write('json', sent(lines()))).text)
  expect(json.threats.map(({ id, fullId }: Threat) => fullId ?? id)).toEqual([...ids, long.fullId])
  const { objects } = JSON.parse((await write('stix', sent(lines()))).text)
  const references = objects.flatMap((object: { external_references?: { external_id: string }[] }) =>
    (object.external_references ?? []).map(({ external_id }) => external_id),
  )
  expect(references).toEqual([...ids, long.fullId])
})
