import { useEffect, useState } from 'react'
import { whenIdle } from '#app/ui/when-idle.ts'

export type SearchWords = typeof import('./search-words.ts')

/** Not on the way to the page: the query language is needed once there is a search. */
export function loadSearchWords(): Promise<SearchWords> {
  return import('./search-words.ts')
}

/** Null until it is there; at once where it is needed for what the page begins with. */
export function useSearchWords(isNeeded: boolean): SearchWords | null {
  const [words, setWords] = useState<SearchWords | null>(null)
  useEffect(() => {
    const load = isNeeded ? loadSearchWords() : whenIdle().then(loadSearchWords)
    load.then((loaded) => setWords(() => loaded))
  }, [isNeeded])
  return words
}
