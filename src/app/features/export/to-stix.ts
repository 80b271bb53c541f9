import type { Threat } from '#contract/bff/threat.ts'
import type { Tlp } from '#contract/tlp.ts'
import { tlpMarking } from './stix-markings.ts'
import {
  domainName,
  identity,
  location,
  producer,
  report,
  type StixObject,
  targeting,
  threatActor,
} from './stix-objects.ts'
import { threatLink } from './threat-link.ts'

type StixWriterOptions = { origin: string; exportedAt: string; tlp?: Tlp | undefined }

/**
 * Threats as STIX 2.1 objects: a report for each, and once each what they name: actors, victims, sectors, countries,
 * domains, and who targets whom. Texts and addresses are as they were sent: they are for programs.
 */
export function createStixWriter({ origin, exportedAt, tlp }: StixWriterOptions) {
  const written = new Set<string>()
  const marking = tlp && tlpMarking(tlp)
  const mark = (object: StixObject) => (marking ? { ...object, object_marking_refs: [marking.id] } : object)

  /** The objects that no earlier threat has named. */
  return async (threat: Threat): Promise<StixObject[]> => {
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
    const told = await report({ threat, time, author, named, link: threatLink(threat, origin) })
    const objects = [...(marking ? [marking] : []), ...[author, ...named, told].map(mark)]
    return objects.filter(({ id }) => {
      const isNew = !written.has(id)
      written.add(id)
      return isNew
    })
  }
}
