import { useEffect, useLayoutEffect, useRef } from 'react'
import type { IconName } from './icon.tsx'

/** Something that the page before the reader can do, for whoever calls it by name. */
export type PageAct = {
  label: string
  /** A third party's words for what it is done to. Nobody looks for an act by them. */
  subject?: string | undefined
  icon: IconName
  words?: string
  run(): void
}

const offers = new Set<() => readonly PageAct[]>()

/** Returns the actions that the page offers now. */
export function readPageActs(): PageAct[] {
  return [...offers].flatMap((read) => read())
}

/** Offers acts as long as the component is there; they are read on demand. */
export function usePageActs(read: () => readonly PageAct[]): void {
  const latest = useRef(read)
  useLayoutEffect(() => {
    latest.current = read
  })
  useEffect(() => {
    const offer = () => latest.current()
    offers.add(offer)
    return () => {
      offers.delete(offer)
    }
  }, [])
}
