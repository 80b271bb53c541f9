import type { EvidenceKind } from '#service/evidence/evidence-name.ts'
import type { Random } from '#service/random.ts'
import type { ThreatRecord } from '#service/threats/threat-record.ts'
import type { DemoCategory } from './demo-actors.ts'

type Evidence = ThreatRecord['evidence']

const TYPE_BY_KIND: Readonly<Record<EvidenceKind, string>> = {
  'leak-site': 'Leak site screenshot',
  'forum-post': 'Forum post screenshot',
  'file-listing': 'File listing screenshot',
}

const KINDS: Readonly<Record<DemoCategory, readonly EvidenceKind[]>> = {
  Ransomware: ['leak-site', 'file-listing'],
  'Data Breach': ['forum-post', 'file-listing'],
  'Initial Access': ['forum-post'],
  DDoS: ['forum-post'],
  Other: ['forum-post'],
}

/** None, one or two pictures; the service draws them when asked. */
export function drawEvidence(random: Random, category: DemoCategory): Evidence {
  const kinds = KINDS[category]
  return random.sample(kinds, random.between(0, kinds.length)).map((kind) => ({
    type: TYPE_BY_KIND[kind],
    url: `/evidence/${kind}-${random.between(1, 400)}`,
  }))
}
