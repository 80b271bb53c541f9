import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import type { ActorList } from '#contract/bff/actor.ts'
import { periodParam } from '#contract/bff/period.ts'
import type { ActorSearch } from './actor-search.ts'

const TABS = [
  {
    tab: undefined,
    of: 'all',
    label: 'All',
    hint: 'All actors that are stored, and all that the source lists',
  },
  {
    tab: 'rising',
    of: 'rising',
    label: 'Rising',
    hint: 'More in the last 7 days, today so far, than in the same part of the 7 days before',
  },
  { tab: 'new', of: 'new', label: 'New', hint: 'First seen in the last 7 days' },
  {
    tab: 'concerning',
    of: 'concerning',
    label: 'Concerning us',
    hint: 'Seen in one of your industries in one of your countries, in the chosen period',
  },
] as const

type ActorTabsProps = { search: ActorSearch & { period: string }; tabs: ActorList['tabs'] | undefined }

export function ActorTabs({ search, tabs }: ActorTabsProps) {
  return (
    <nav aria-label="Which actors" className="-mx-3 flex min-w-0 gap-1 overflow-x-auto px-2">
      {TABS.map(({ tab, of, label, hint }) => {
        const isOpen = search.tab === tab
        const found = tabs?.[of] ?? null
        return (
          <Link
            key={label}
            to="/actors"
            search={{ ...search, period: periodParam(search.period), tab }}
            title={hint}
            aria-current={isOpen ? 'page' : undefined}
            activeProps={{}}
            className={`flex h-10 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium text-sm focus-visible:-outline-offset-2 ${isOpen ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'}`}
          >
            {label}
            {found !== null && (
              <span className="font-normal text-faint text-xs tabular-nums">{count(found)}</span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
