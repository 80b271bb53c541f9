import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { type Command, type CommandGroup, readRecent } from './command.ts'
import { filterCommands, isFilter, searchCommands } from './filter-commands.ts'
import { actionCommands, countryCommands, pageActCommands, pageCommands } from './own-commands.ts'
import { foundActorsOptions, foundThreatsOptions, viewCommandsOptions } from './palette-options.ts'
import { fold, rankCommands } from './rank-commands.ts'

const REST_MS = 150
const MANY = 20
const FEW = 5

/** Commands that match the typed text: local ones at once, searched ones when their answer comes. */
export function useCommands(text: string): { groups: CommandGroup[]; isSearching: boolean } {
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  const role = session?.user.role ?? 'viewer'
  // Only in it a search of threats is free.
  const hasThreats = source !== undefined && source.window.status !== 'empty'
  const query = text.trim()
  const [recent] = useState(readRecent)
  const [pageActs] = useState(pageActCommands)
  // `country: ger` is a filter, and no name of anything.
  const wanted = useDebouncedValue(isFilter(query) ? '' : query, REST_MS)
  const actors = useQuery(foundActorsOptions(wanted, hasThreats))
  const threats = useQuery(foundThreatsOptions(wanted, hasThreats))
  const { data: views = [] } = useQuery(viewCommandsOptions())
  const isAsking = wanted.length > 1
  const searches = searchCommands(query)
  const own = (commands: readonly Command[], max: number) => rankCommands(commands, query, max)

  const groups =
    query === ''
      ? [
          { title: 'On this page', commands: pageActs },
          { title: 'Lately', commands: recent },
          { title: 'Pages', commands: pageCommands(role) },
          { title: 'Views', commands: views },
          { title: 'Actions', commands: actionCommands() },
        ]
      : [
          { title: 'On this page', commands: own(pageActs, FEW) },
          { title: 'Pages', commands: own(pageCommands(role), FEW) },
          { title: 'Views', commands: own(views, FEW) },
          { title: 'Actors', commands: (isAsking && actors.data) || [] },
          { title: 'Countries', commands: own(countryCommands(query), FEW) },
          { title: 'Actions', commands: own(actionCommands(), FEW) },
          {
            title: 'Filters',
            // Without a filter's name it is the same search.
            commands:
              searches.length > 0 && !isFilter(query)
                ? []
                : filterCommands(query, source?.categories ?? []).slice(0, MANY),
          },
          { title: 'Search', commands: searches },
          { title: 'Threats', commands: (isAsking && threats.data) || [] },
        ]
  const isNamed = ({ commands }: CommandGroup) => fold(commands[0]?.label ?? '').startsWith(fold(query))
  return {
    // A name that begins with the text ranks above one that only contains it.
    groups: groups
      .filter(({ commands }) => commands.length > 0)
      .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a))),
    isSearching: hasThreats && (actors.isFetching || threats.isFetching),
  }
}
