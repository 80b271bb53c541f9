import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'

/** The page of a threat, for those who open an export elsewhere. */
export function threatLink({ id, set }: Threat, origin: string): string {
  return `${origin}/threats/${pathSegment(id)}?set=${set}`
}
