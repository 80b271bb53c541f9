import { useEffect, useState } from 'react'

/** Signs of the query language. A text without them is words that must all be found. */
const SIGNS = /[:()"“”„‟«»＂*<>=]|(?:^|\s)(?:-|(?:and|or|not)\s)/i

export type QueryLanguage = typeof import('./query-language.ts')

export function hasSigns(text = ''): boolean {
  return SIGNS.test(text)
}

/** Not on the way to the first page: fetched when somebody uses the language. */
function loadQueryLanguage(): Promise<QueryLanguage> {
  return import('./query-language.ts')
}

/** Returns the parser of the query language once a text has any sign of it; null until then. */
export function useQueryLanguage(text: string | undefined): QueryLanguage | null {
  const [language, setLanguage] = useState<QueryLanguage | null>(null)
  const isNeeded = hasSigns(text)
  useEffect(() => {
    if (isNeeded) loadQueryLanguage().then((loaded) => setLanguage(() => loaded))
  }, [isNeeded])
  return isNeeded ? language : null
}
