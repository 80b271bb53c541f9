import { useEffect, useState } from 'react'

/** What only the query language gives a meaning: without any of it, a text is words that must all be there. */
const SIGNS = /[:()"“”„‟«»＂*<>=]|(?:^|\s)(?:-|(?:and|or|not)\s)/i

export type QueryLanguage = typeof import('./query-language.ts')

export function hasSigns(text = ''): boolean {
  return SIGNS.test(text)
}

/** Not on the way to the first page: fetched when somebody uses the language. */
function loadQueryLanguage(): Promise<QueryLanguage> {
  return import('./query-language.ts')
}

/** What reads the query language, once a text has any sign of it; null until then. */
export function useQueryLanguage(text: string | undefined): QueryLanguage | null {
  const [language, setLanguage] = useState<QueryLanguage | null>(null)
  const isNeeded = hasSigns(text)
  useEffect(() => {
    if (isNeeded) loadQueryLanguage().then((loaded) => setLanguage(() => loaded))
  }, [isNeeded])
  return isNeeded ? language : null
}
