import type { Threat } from '#contract/bff/threat.ts'

/** The page of a threat, for those who open an export elsewhere. */
export function threatLink({ id, set }: Threat, origin: string): string {
  return `${origin}/threats/${encodeURIComponent(id)}?set=${set}`
}
