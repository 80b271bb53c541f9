import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { ActorList } from '#contract/bff/actor.ts'
import type { OwnInterests } from './actor-options.ts'
import type { ActorSearch } from './actor-search.ts'

type ActorsEmptyProps = { search: ActorSearch; list: ActorList; own: OwnInterests }

const LINK = 'font-medium text-accent hover:underline'

/** Why there is no actor to see, and what to do about it. */
export function ActorsEmpty({ search, list, own }: ActorsEmptyProps) {
  const { title, words } = explain(search, list, own)
  return (
    <EmptyState icon={search.q ? 'search' : 'clock'} title={title}>
      {words}
    </EmptyState>
  )
}

function explain(
  { q, tab }: ActorSearch,
  { tabs }: ActorList,
  own: OwnInterests,
): { title: string; words: ReactNode } {
  if (tab === 'concerning' && (own.countries.length === 0 || own.industries.length === 0)) {
    return {
      title: 'Choose your countries and industries',
      words: (
        <>
          Actors that were seen in one of your industries in one of your countries appear here. Choose both in{' '}
          <Link to="/settings" className={LINK}>
            Settings
          </Link>
          .
        </>
      ),
    }
  }
  if (tab && tabs[tab] === null) {
    return {
      title: 'Not available yet',
      words: 'This needs two weeks of threats. Lantern has not stored that much so far.',
    }
  }
  if (q) {
    return {
      title: 'No actor of that name',
      words: (
        <>
          Try a part of the name, or{' '}
          <Link to="/threats" search={{ q }} className={LINK}>
            search the threats for it
          </Link>
          .
        </>
      ),
    }
  }
  if (tab) return { title: 'None at the moment', words: 'No actor is in this group today.' }
  return { title: 'No actors yet', words: 'They appear as Lantern reads threats that name them.' }
}
