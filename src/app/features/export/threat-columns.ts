import { inertLine, inertLines } from '#app/ui/export/inert-line.ts'
import { describeConcern } from '#contract/bff/describe-concern.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ExportedThreat } from '#contract/bff/threat-export.ts'
import { defang } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'

type Column = { id: string; label: string; read(threat: ExportedThreat, origin: string): string | null }

/**
 * Columns that a CSV can have, in their order. Values are as on the pages: one line, invisible characters as words,
 * addresses defanged.
 */
export const THREAT_COLUMNS: readonly Column[] = [
  { id: 'publishedAt', label: 'Published (UTC)', read: ({ publishedAt }) => publishedAt },
  { id: 'severity', label: 'Severity', read: ({ severity }) => severity && inertLine(severity) },
  {
    id: 'severityBasis',
    label: 'Severity basis',
    read: ({ isSeverityDerived }) => (isSeverityDerived ? 'derived by rule' : null),
  },
  { id: 'title', label: 'Title', read: ({ title }) => title && inertLine(title) },
  { id: 'category', label: 'Category', read: ({ category }) => category && inertLine(category) },
  { id: 'actors', label: 'Actors', read: ({ actors }) => inertLines(actors) },
  {
    id: 'countries',
    label: 'Countries',
    read: ({ countries }) => inertLines(countries.map(({ name }) => name)),
  },
  {
    id: 'countryCodes',
    label: 'Country codes',
    read: ({ countries }) => inertLines(countries.flatMap(({ code }) => code ?? [])),
  },
  { id: 'industries', label: 'Industries', read: ({ industries }) => inertLines(industries) },
  { id: 'organizations', label: 'Organisations', read: ({ organizations }) => inertLines(organizations) },
  {
    id: 'domains',
    label: 'Domains',
    read: ({ domains }) => domains.map((domain) => defang(visibleLine(domain))).join('; '),
  },
  {
    id: 'concerns',
    label: 'Concerns us',
    read: ({ concerns = [] }) => concerns.map(describeConcern).join('; '),
  },
  { id: 'excerpt', label: 'Excerpt', read: ({ excerpt }) => excerpt && inertLine(excerpt) },
  { id: 'redacted', label: 'Withheld by the plan', read: ({ redacted }) => redacted.join('; ') },
  { id: 'set', label: 'API', read: ({ set }) => set },
  { id: 'id', label: 'Id', read: ({ id, fullId }) => inertLine(fullId ?? id) },
  { id: 'link', label: 'Link', read: threatLink },
]

/** The page of a threat, for those who open an export elsewhere. */
export function threatLink({ id, set }: Threat, origin: string): string {
  return `${origin}/threats/${pathSegment(id)}?set=${set}`
}
