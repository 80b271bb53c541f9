import { csvLine, toCsv } from '#app/format/csv.ts'
import {
  type ExportFormat,
  exportFileName,
  MEDIA_TYPES,
  type SavedFile,
} from '#app/ui/export/export-form.tsx'
import type { ExportedThreat, ExportLine } from '#contract/bff/threat-export.ts'
import { THREAT_COLUMNS, threatLink } from './threat-columns.ts'

type WriteExportOptions = {
  format: ExportFormat
  /** Ids of THREAT_COLUMNS, for a CSV. */
  columns: readonly string[]
  /** The filter as text for people. The JSON file contains it. */
  question: Readonly<Record<string, unknown>>
  origin: string
  onProgress(done: number, total: number): void
}
type WrittenExport = SavedFile & { file: Blob }

type Head = Extract<ExportLine, { head: unknown }>['head']
type Writer = {
  begin(head: Head): string
  write(threat: ExportedThreat): string | Promise<string>
  end(partialReason: string | null): string
}

/** Reads an export and makes the file of it. One that was cut off, or that the server says is partial, is named so. */
export async function writeExport(
  lines: AsyncIterable<ExportLine>,
  options: WriteExportOptions,
): Promise<WrittenExport> {
  const parts: string[] = []
  let head: Head | null = null
  let writer: Writer | null = null
  let threats = 0
  let isWhole = false
  try {
    for await (const line of lines) {
      if ('head' in line) {
        head = line.head
        writer = createWriter(head, options)
        parts.push(writer.begin(head))
      } else if ('end' in line) {
        isWhole = line.end.threats === threats
      } else if (writer && head) {
        parts.push(await writer.write(line.threat))
        threats += 1
        if (threats % 500 === 0) options.onProgress(threats, head.total)
      }
    }
  } catch (error) {
    // A partial export is useful and is marked as partial. An empty one is a failure.
    if (!head || threats === 0) throw error
  }
  if (!head || !writer) throw new Error('The export did not begin')
  const partialReason = isWhole ? head.partialReason : 'The connection was cut: the rest is missing.'
  parts.push(writer.end(partialReason))
  return {
    file: new Blob(parts, { type: MEDIA_TYPES[options.format] }),
    name: exportFileName({
      noun: 'threats',
      exportedAt: head.exportedAt,
      format: options.format,
      isPartial: partialReason !== null,
    }),
    count: threats,
    partialReason,
  }
}

function createWriter(head: Head, { format, columns, question, origin }: WriteExportOptions): Writer {
  if (format === 'csv') {
    const chosen = THREAT_COLUMNS.filter(({ id }) => columns.includes(id))
    return {
      begin: () => toCsv([chosen.map(({ label }) => label)]),
      write: (threat) => csvLine(chosen.map(({ read }) => read(threat, origin))),
      end: () => '',
    }
  }
  if (format === 'json') {
    const about = {
      exportedAt: head.exportedAt,
      coverage: head.coverage,
      checked: head.checked,
      question,
    }
    let separator = ''
    return {
      begin: () => `${JSON.stringify(about).slice(0, -1)},"threats":[`,
      write(threat) {
        const text = `${separator}\n${JSON.stringify(threat)}`
        separator = ','
        return text
      },
      end: (partialReason) => `\n],"partialReason":${JSON.stringify(partialReason)}}\n`,
    }
  }
  const toObjects = createStixWriter({ origin, exportedAt: head.exportedAt })
  let separator = ''
  return {
    begin: () => `{"type":"bundle","id":"bundle--${crypto.randomUUID()}","objects":[`,
    async write(threat) {
      let text = ''
      for (const object of await toObjects(threat)) {
        text += `${separator}\n${JSON.stringify(object)}`
        separator = ','
      }
      return text
    },
    end: () => '\n]}\n',
  }
}

type StixWriterOptions = { origin: string; exportedAt: string }

/**
 * Threats as STIX 2.1 objects: a report for each, and once each what they name: actors, victims, sectors, countries,
 * domains, and who targets whom. Texts and addresses are as they were sent: they are for programs. All are marked
 * TLP:AMBER: a vendor sells its threats to a company, not to the public.
 */
function createStixWriter({ origin, exportedAt }: StixWriterOptions) {
  const written = new Set<string>()
  const mark = (object: StixObject) => ({ ...object, object_marking_refs: [TLP_AMBER.id] })

  /** The objects that no earlier threat has named. */
  return async (threat: ExportedThreat): Promise<StixObject[]> => {
    const time = threat.publishedAt ?? exportedAt
    const author = await producer(exportedAt)
    const actors = await Promise.all(threat.actors.map((name) => threatActor(name, time)))
    const targets = await Promise.all([
      ...threat.organizations.map((name) => identity(name, 'organization', time)),
      ...threat.industries.map((name) => identity(name, 'class', time)),
      ...threat.countries.flatMap(({ code, name }) => (code === null ? [] : [location(code, name, time)])),
    ])
    const domains = await Promise.all(threat.domains.map(domainName))
    const relationships = await Promise.all(
      actors.flatMap((actor) => targets.map((target) => targeting(actor, target, time))),
    )
    const named = [...actors, ...targets, ...domains, ...relationships]
    const reported = await report({ threat, time, author, named, link: threatLink(threat, origin) })
    const objects = [TLP_AMBER, ...[author, ...named, reported].map(mark)]
    return objects.filter(({ id }) => {
      const isNew = !written.has(id)
      written.add(id)
      return isNew
    })
  }
}

/**
 * The definition of TLP:AMBER that OASIS has published for TLP 2.0: by the property extension of STIX 2.1, section 7.3.
 * Section 7.2.1.4 only predefines the markings of TLP 1.
 */
const TLP_AMBER: StixObject = {
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
}

type StixObject = { type: string; id: string; [property: string]: unknown }

/** When a thing was first reported: STIX 2.1 wants a time on every object. */
const dated = (time: string) => ({ spec_version: '2.1', created: time, modified: time })

async function producer(time: string): Promise<StixObject> {
  const id = await stixId('identity', 'lantern')
  return { type: 'identity', id, ...dated(time), name: 'Lantern', identity_class: 'system' }
}

async function threatActor(name: string, time: string): Promise<StixObject> {
  const id = await stixId('threat-actor', name.toLowerCase())
  return { type: 'threat-actor', id, ...dated(time), name }
}

/** An organisation, or the class of those in an industry. */
async function identity(
  name: string,
  identityClass: 'organization' | 'class',
  time: string,
): Promise<StixObject> {
  const id = await stixId('identity', `${identityClass}\n${name.toLowerCase()}`)
  return { type: 'identity', id, ...dated(time), name, identity_class: identityClass }
}

async function location(country: string, name: string, time: string): Promise<StixObject> {
  return { type: 'location', id: await stixId('location', country), ...dated(time), name, country }
}

async function domainName(value: string): Promise<StixObject> {
  return { type: 'domain-name', spec_version: '2.1', id: await domainNameId(value), value }
}

async function targeting(source: StixObject, target: StixObject, time: string): Promise<StixObject> {
  return {
    type: 'relationship',
    id: await stixId('relationship', `${source.id}\n${target.id}`),
    ...dated(time),
    relationship_type: 'targets',
    source_ref: source.id,
    target_ref: target.id,
  }
}

type ReportOf = {
  threat: ExportedThreat
  time: string
  author: StixObject
  named: readonly StixObject[]
  link: string
}

async function report({ threat, time, author, named, link }: ReportOf): Promise<StixObject> {
  const severity = threat.severity === null ? null : `severity:${threat.severity}`
  const basis = threat.isSeverityDerived ? 'severity-derived' : null
  // Without names: bundles are shared, and names would disclose suppliers and customers.
  const concerns = threat.concerns?.map(({ kind, certainty }) => `concerns:${kind}:${certainty}`) ?? []
  const labels = [...new Set([threat.category, severity, basis, ...concerns])].filter(
    (label) => label !== null,
  )
  return {
    type: 'report',
    id: await stixId('report', `${threat.set}\n${threat.id}`),
    ...dated(time),
    created_by_ref: author.id,
    name: threat.title ?? 'Untitled threat',
    ...(threat.excerpt !== null && { description: threat.excerpt }),
    report_types: ['threat-report'],
    published: time,
    // STIX insists on one.
    object_refs: (named.length > 0 ? named : [author]).map(({ id }) => id),
    ...(labels.length > 0 && { labels }),
    external_references: [{ source_name: 'Lantern', external_id: threat.fullId ?? threat.id, url: link }],
  }
}

/** Lantern's own namespace, so that the same thing has the same id in every export. */
const NAMESPACE = '8f2c1d5e-6a57-4c0b-9b1e-3f8f0c8d7a41'
/** For cyber-observable objects: STIX 2.1, section 2.9. */
const OBSERVABLE_NAMESPACE = '00abedb4-aa42-466c-9c01-fed23315a9b7'

/** `threat-actor--…`, by the object's type and what distinguishes it from others of its type. */
async function stixId(type: string, name: string): Promise<string> {
  return `${type}--${await nameBasedUuid(NAMESPACE, `${type}\n${name}`)}`
}

/** The id that STIX prescribes for a domain name. */
async function domainNameId(value: string): Promise<string> {
  return `domain-name--${await nameBasedUuid(OBSERVABLE_NAMESPACE, JSON.stringify({ value }))}`
}

/** UUID version 5: RFC 9562, section 5.5. */
async function nameBasedUuid(namespace: string, name: string): Promise<string> {
  const prefix = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  )
  const text = new TextEncoder().encode(name)
  const bytes = new Uint8Array([...prefix, ...text])
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).slice(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
