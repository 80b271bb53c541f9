import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type Given = Record<string, unknown>

/** The list's URL holds the search, the open profile, the threat it is compared with, and the profile that was just created and how. */
export type AlertsSearch = {
  profile?: string
  threat?: string
  created?: string
  outcome?: string
  find?: string
}

/**
 * The builder's URL: what it begins with (a filter of the feed, or keywords), the profile that it copies, or the profile that
 * it changes. `from` and `to` of a filter are days: a copy has an address of its own.
 */
export type BuilderSearch = ThreatFilter & {
  name?: string
  keyword?: string[]
  copy?: string
  edit?: string
  /** The page that it sends, in place of what a filter matches. */
  sends?: 'shift'
}

/** The ledger's URL: whose messages, and the one that is open. */
export type LedgerSearch = {
  state?: string[]
  channel?: string
  profile?: string
  open?: string
}

export function readAlertsSearch({ find, ...given }: Given): AlertsSearch {
  return {
    ...readTexts(given, ['profile', 'threat', 'created', 'outcome']),
    find: [find].flat().find((text) => typeof text === 'string') || undefined,
  }
}

/** But for the filter, which is the feed's. */
export function readBuilderSearch(given: Given): BuilderSearch {
  return {
    ...readTexts(given, ['name', 'copy', 'edit']),
    keyword: textsOf(given.keyword),
    sends: given.sends === 'shift' ? 'shift' : undefined,
  }
}

export function readLedgerSearch(given: Given): LedgerSearch {
  return { ...readTexts(given, ['channel', 'profile', 'open']), state: textsOf(given.state) }
}

/** Returns the text of each name: the last one where it has several. */
function readTexts<Name extends string>(given: Given, names: readonly Name[]): { [name in Name]?: string } {
  const texts: { [name in Name]?: string } = {}
  for (const name of names) texts[name] = textsOf(given[name])?.at(-1)
  return texts
}

function textsOf(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((each) => (typeof each === 'string' ? each.trim() || [] : []))
  return texts.length > 0 ? [...new Set(texts)].slice(0, 100) : undefined
}
