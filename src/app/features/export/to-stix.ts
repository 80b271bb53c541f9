import type { ExportedThreat } from '#contract/bff/threat-export.ts'
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

type StixWriterOptions = { origin: string; exportedAt: string }

/**
 * Threats as STIX 2.1 objects: a report for each, and once each what they name: actors, victims, sectors, countries,
 * domains, and who targets whom. Texts and addresses are as they were sent: they are for programs. All are marked
 * TLP:AMBER: a vendor sells its threats to a company, not to the public.
 */
export function createStixWriter({ origin, exportedAt }: StixWriterOptions) {
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
