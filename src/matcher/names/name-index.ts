import { explainEntry } from './explain-entry.ts'
import { normaliseName } from './normalise-name.ts'

/** An entry of a list. `domains` are registrable ones. */
export type NamedEntry = { id: string; name: string; domains: readonly string[] }
/** Names of a threat and of one of its victims. `domains` are registrable ones. */
export type NamedText = {
  title: string
  victim: string | null
  domains: readonly string[]
  country: string | null
}

export type NameMatch = {
  entryId: string
  certainty: 'certain' | 'to-confirm'
  rule: 'domain' | 'name' | 'name-in-text' | 'abbreviation' | 'similar' | 'brand-in-domain' | 'shared-name'
  /** The words of the threat that match. */
  text: string
}

export type NameIndex = {
  byDomain: ReadonlyMap<string, readonly NamedEntry[]>
  byName: ReadonlyMap<string, readonly NamedEntry[]>
}

export function createNameIndex(entries: readonly NamedEntry[]): NameIndex {
  const domains = entries.flatMap((entry) => entry.domains.map((domain) => ({ domain, entry })))
  return {
    byDomain: new Map(
      [...Map.groupBy(domains, ({ domain }) => domain)].map(([domain, some]) => [
        domain,
        some.map(({ entry }) => entry),
      ]),
    ),
    byName: Map.groupBy(entries, ({ name }) => normaliseName(name)),
  }
}

/** The entries that a threat is about, or may be, each once with the strongest reason. */
export function matchNames(index: NameIndex, { victim, domains }: NamedText): NameMatch[] {
  const found = new Map<string, NameMatch>()
  for (const domain of domains) {
    for (const { id } of index.byDomain.get(domain) ?? [])
      found.set(id, { entryId: id, certainty: 'certain', rule: 'domain', text: domain })
  }
  const name = victim === null ? '' : normaliseName(victim)
  for (const { id, name: own } of (name !== '' && index.byName.get(name)) || []) {
    if (found.has(id) || victim === null) continue
    const isDistinctive = explainEntry({ name: own }).everydayName === null
    found.set(id, {
      entryId: id,
      certainty: isDistinctive ? 'certain' : 'to-confirm',
      rule: 'name',
      text: victim,
    })
  }
  return [...found.values()]
}
