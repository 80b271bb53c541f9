type Given = Record<string, unknown>

/** The list's URL: what is looked for, which profile is open, which threat it is asked about, and which one has just been created, and how. */
export type AlertsSearch = {
  profile?: string
  threat?: string
  created?: string
  outcome?: string
  find?: string
}

/** The builder's URL: what it begins with, the profile that it is filled from, or the profile that it changes. */
export type BuilderSearch = {
  name?: string
  keyword?: string[]
  category?: string[]
  from?: string
  edit?: string
}

/** The ledger's URL: whose messages, and the one that is open. */
export type LedgerSearch = {
  state?: string[]
  channel?: string
  profile?: string
  watch?: string
  open?: string
}

export function readAlertsSearch({ find, ...given }: Given): AlertsSearch {
  return {
    ...readTexts(given, ['profile', 'threat', 'created', 'outcome']),
    find: [find].flat().find((text) => typeof text === 'string') || undefined,
  }
}

export function readBuilderSearch(given: Given): BuilderSearch {
  const { keyword, category } = given
  return {
    ...readTexts(given, ['name', 'from', 'edit']),
    keyword: textsOf(keyword),
    category: textsOf(category),
  }
}

export function readLedgerSearch(given: Given): LedgerSearch {
  return { ...readTexts(given, ['channel', 'profile', 'watch', 'open']), state: textsOf(given.state) }
}

/** Of several values, the last. */
function readTexts<Name extends string>(given: Given, names: readonly Name[]): { [name in Name]?: string } {
  const texts: { [name in Name]?: string } = {}
  for (const name of names) texts[name] = textsOf(given[name])?.at(-1)
  return texts
}

function textsOf(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((each) => (typeof each === 'string' ? each.trim() || [] : []))
  return texts.length > 0 ? [...new Set(texts)].slice(0, 100) : undefined
}
