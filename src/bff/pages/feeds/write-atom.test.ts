import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { toUrn, writeAtom } from './write-atom.ts'

const THREAT: Threat = {
  id: 'thr_1',
  set: 'v1',
  title: '<script>alert(1)</script> & "more" of acme.example at https://evil.example/x\u0000\u202e\ud800',
  excerpt: 'Leak of files.acme.example on abcdef.onion ]]>',
  category: 'Data "Breach"',
  severity: 'high',
  actors: ['Ashfall'],
  countries: [{ code: 'DE', name: 'Germany' }],
  industries: [],
  organizations: ['northwind.example'],
  domains: ['northwind.example'],
  publishedAt: '2026-03-10T12:00:00.000Z',
  redacted: [],
}

function write(threats: readonly Threat[]) {
  return writeAtom({
    id: toUrn('view', '7'),
    title: 'Mine & <yours>',
    selfUrl: 'https://lantern.example/feeds/x.atom',
    pageUrl: 'https://lantern.example/threats?view=7&q=a',
    updatedAt: '2026-03-11T00:00:00.000Z',
    threats,
    origin: 'https://lantern.example',
  })
}

test('hostile text is text, with nothing in it that a reader would make a link', () => {
  const feed = write([THREAT])
  expect(feed).toContain(
    '<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot; of acme[.]example at hxxps[:]//evil[.]example/x\ufffd\ufffd\ufffd</title>',
  )
  expect(feed).toContain('<category term="Data &quot;Breach&quot;"/>')
  expect(feed).toContain('Domains: northwind[.]example')
  expect(feed).toContain('Organisations: northwind[.]example')
  expect(feed).toContain('Leak of files[.]acme[.]example on abcdef[.]onion ]]&gt;')
  expect(feed).toContain('href="https://lantern.example/threats?view=7&amp;q=a"')
  expect(feed).not.toMatch(/[\0\u202e]/)
})

test('cuts titles and summaries after a whole word, unless they are one word', () => {
  const words = (count: number) => 'In 1990. '.repeat(count)
  const atom = write([
    { ...THREAT, title: `${words(32)}very long AT&T and others`, excerpt: words(230) },
    { ...THREAT, title: 'x'.repeat(400) },
    { ...THREAT, title: null },
  ])
  const [long, single, none] = [...atom.matchAll(/<title>([^<]*)<\/title>/g)].slice(1).map(([, text]) => text)
  expect(long).toMatch(/ very long…$/)
  expect(single).toBe(`${'x'.repeat(299)}…`)
  expect(none).toBe('Untitled threat')
  expect(atom).toMatch(/ (?:In|1990\.)…<\/summary>/)
})

test('an entry keeps its id wherever Lantern lives', () => {
  const ids = [...write([THREAT, { ...THREAT, id: 'thr_2' }]).matchAll(/<id>(.+)<\/id>/g)].map(([, id]) => id)
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(3)
  expect(ids[1]).toBe(toUrn('threat', 'v1\nthr_1'))
  expect(ids[1]).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('has every element that a feed and its entries must have', () => {
  const [head = '', entry = ''] = write([
    { ...THREAT, title: null, category: null, publishedAt: null },
  ]).split('<entry>')
  for (const name of ['id', 'title', 'updated', 'author', 'link']) expect(head).toContain(`<${name}`)
  for (const name of ['id', 'title', 'updated', 'link', 'summary']) expect(entry).toContain(`<${name}`)
  expect(entry).toContain('<updated>2026-03-11T00:00:00.000Z</updated>')
})
