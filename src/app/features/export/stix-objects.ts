import type { ExportedThreat } from '#contract/bff/threat-export.ts'

export type StixObject = { type: string; id: string; [property: string]: unknown }

/** When a thing was first reported: STIX 2.1 wants a time on every object. */
const dated = (time: string) => ({ spec_version: '2.1', created: time, modified: time })

export async function producer(time: string): Promise<StixObject> {
  const id = await stixId('identity', 'lantern')
  return { type: 'identity', id, ...dated(time), name: 'Lantern', identity_class: 'system' }
}

export async function threatActor(name: string, time: string): Promise<StixObject> {
  const id = await stixId('threat-actor', name.toLowerCase())
  return { type: 'threat-actor', id, ...dated(time), name }
}

/** An organisation, or the class of those in an industry. */
export async function identity(
  name: string,
  identityClass: 'organization' | 'class',
  time: string,
): Promise<StixObject> {
  const id = await stixId('identity', `${identityClass}\n${name.toLowerCase()}`)
  return { type: 'identity', id, ...dated(time), name, identity_class: identityClass }
}

export async function location(country: string, name: string, time: string): Promise<StixObject> {
  return { type: 'location', id: await stixId('location', country), ...dated(time), name, country }
}

export async function domainName(value: string): Promise<StixObject> {
  return { type: 'domain-name', spec_version: '2.1', id: await domainNameId(value), value }
}

export async function targeting(source: StixObject, target: StixObject, time: string): Promise<StixObject> {
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

export async function report({ threat, time, author, named, link }: ReportOf): Promise<StixObject> {
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
