import type { Threat } from '#contract/bff/threat.ts'
import type { Tlp } from '#contract/tlp.ts'
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
    const reported = await report({ threat, time, author, named, link: threatLink(threat, origin) })
    const objects = [...(marking ? [marking] : []), ...[author, ...named, reported].map(mark)]
    return objects.filter(({ id }) => {
      const isNew = !written.has(id)
      written.add(id)
      return isNew
    })
  }
}

/** The marking definitions that OASIS has published for TLP 2.0: STIX 2.1, section 7.2.1.4, only predefines those of TLP 1. */
const TLP_IDS: Readonly<Record<Tlp, string>> = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
}
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'
/** Creation time of the published TLP marking definitions. It is part of them, like their ids. */
const TLP_CREATED = '2022-10-01T00:00:00.000Z'

/** The definition that objects of a level refer to, as it is published: by the property extension of STIX 2.1, section 7.3. */
function tlpMarking(tlp: Tlp): StixObject {
  return {
    type: 'marking-definition',
    spec_version: '2.1',
    id: TLP_IDS[tlp],
    created: TLP_CREATED,
    name: `TLP:${tlp.toUpperCase()}`,
    extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: tlp } },
  }
}
