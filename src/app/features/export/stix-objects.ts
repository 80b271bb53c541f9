import type { Threat } from '#contract/bff/threat.ts'
import { domainNameId, stixId } from './stix-id.ts'

export type StixObject = { type: string; id: string; [property: string]: unknown }

/** When a thing was first told of: STIX 2.1 wants a time on every object. */
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
  threat: Threat
  time: string
  author: StixObject
  named: readonly StixObject[]
  link: string
}

export async function report({ threat, time, author, named, link }: ReportOf): Promise<StixObject> {
  const severity = threat.severity === null ? null : `severity:${threat.severity}`
  const labels = [threat.category, severity].filter((label) => label !== null)
  return {
    type: 'report',
    id: await stixId('report', `${threat.set}\n${threat.id}`),
    ...dated(time),
    created_by_ref: author.id,
    name: threat.title ?? 'Threat without a title',
    ...(threat.excerpt !== null && { description: threat.excerpt }),
    report_types: ['threat-report'],
    published: time,
    // STIX insists on one.
    object_refs: (named.length > 0 ? named : [author]).map(({ id }) => id),
    ...(labels.length > 0 && { labels }),
    external_references: [{ source_name: 'Lantern', external_id: threat.id, url: link }],
  }
}
