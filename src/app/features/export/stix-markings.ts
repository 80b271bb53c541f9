import type { Tlp } from '#contract/tlp.ts'
import type { StixObject } from './stix-objects.ts'

/** The marking definitions that OASIS has published for TLP 2.0: STIX 2.1, section 7.2.1.4, only predefines those of TLP 1. */
const TLP_IDS: Readonly<Record<Tlp, string>> = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
}
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'
/** Of the published definitions: part of them, as their ids are. */
const TLP_CREATED = '2022-10-01T00:00:00.000Z'

/** The definition that objects of a level refer to, as it is published: by the property extension of STIX 2.1, section 7.3. */
export function tlpMarking(tlp: Tlp): StixObject {
  return {
    type: 'marking-definition',
    spec_version: '2.1',
    id: TLP_IDS[tlp],
    created: TLP_CREATED,
    name: `TLP:${tlp.toUpperCase()}`,
    extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: tlp } },
  }
}
