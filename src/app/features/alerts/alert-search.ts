type Given = Record<string, unknown>

/** The list's URL: what is looked for, which profile is open, which threat it is asked about, and which one has just been created, and how. */
export type AlertsSearch = {
  profile?: string
  threat?: string
  created?: string
  outcome?: string
  find?: string
}

/** The builder's URL: what it begins with, or the profile or the imported draft that it is filled from. */
export type BuilderSearch = {
  name?: string
  keyword?: string[]
  category?: string[]
  from?: string
  import?: string
}

export function readAlertsSearch({ profile, threat, created, outcome, find }: Given): AlertsSearch {
  return {
    profile: textOf(profile),
    threat: textOf(threat),
    created: textOf(created),
    outcome: textOf(outcome),
    find: [find].flat().find((text) => typeof text === 'string') || undefined,
  }
}

export function readBuilderSearch({ name, keyword, category, from, import: imported }: Given): BuilderSearch {
  return {
    name: textOf(name),
    keyword: textsOf(keyword),
    category: textsOf(category),
    from: textOf(from),
    import: textOf(imported),
  }
}

/** Of several values, the last. */
function textOf(value: unknown): string | undefined {
  return textsOf(value)?.at(-1)
}

function textsOf(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((each) => (typeof each === 'string' ? each.trim() || [] : []))
  return texts.length > 0 ? [...new Set(texts)].slice(0, 100) : undefined
}
