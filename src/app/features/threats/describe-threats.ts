import { countryName } from '#app/format/country-name.ts'
import { exactTime } from '#app/format/time.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { defang } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'

/** Threats as lines of plain text for a chat or a ticket: nothing in them is a link, or acts unseen. */
export function describeThreats(
  ids: readonly string[],
  known: ReadonlyMap<string, Threat>,
  timeZone: string,
): string {
  return ids
    .map((id) => {
      const threat = known.get(id)
      return threat ? describeThreat(threat, timeZone) : `- Threat ${id}, not loaded in this list`
    })
    .join('\n')
}

function describeThreat(threat: Threat, timeZone: string): string {
  const { title, id, severity, category, actors, organizations, domains, countries, publishedAt } = threat
  const facts = [
    title ?? `Untitled threat ${id}`,
    severity ? `severity ${severity}` : null,
    category,
    actors.length > 0 ? `by ${actors.join(', ')}` : null,
    organizations.length > 0 ? `against ${organizations.join(', ')}` : null,
    ...domains,
    ...countries.map(({ code, name }) => (code ? countryName(code) : name)),
  ]
  const safe = facts.flatMap((fact) => (fact ? visibleLine(defangWords(fact)) : []))
  return `- ${[...safe, exactTime(publishedAt, timeZone)].join(' · ')}`
}

/** Leaves the full stops of sentences alone. */
function defangWords(text: string): string {
  return text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? defang(word) : word))
}

const ADDRESS = /[^.][.\u3002\uff0e\uff61][^.]|[@:]/u
