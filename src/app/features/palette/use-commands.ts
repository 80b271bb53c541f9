import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { actorsKey } from '#app/features/actors/actor-options.ts'
import { todayIn } from '#app/features/periods/period-options.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { threatsKey } from '#app/features/threats/threat-options.ts'
import { viewsKey } from '#app/features/views/view-options.ts'
import { readPageActs } from '#app/ui/page-acts.ts'
import { readPreferences, THEMES } from '#app/ui/preferences.ts'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { actorListSchema } from '#contract/bff/actor.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Role } from '#contract/bff/session.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { TRIAGE_FILTERS } from '#contract/bff/triage-filter.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import { COUNTRY_CODES, countryName, findCountryCode } from '#contract/country.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { isPlain } from '#matcher/query/query-tree.ts'
import { type Command, type CommandGroup, readRecent } from './command.ts'
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

const LEAST_LENGTH = 2
const ACTORS_MAX_COUNT = 5
const THREATS_MAX_COUNT = 6

/** Filters of the feed that the reader, or the team, gave a name. */
function viewCommandsOptions() {
  return queryOptions({
    queryKey: [...viewsKey, 'palette'],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { views } = await getJson('views', viewListSchema, { signal })
      return views.map(({ id, name, isShared }) => ({
        id: `view ${id}`,
        label: name,
        icon: 'filter',
        act: { href: `/threats?view=${id}` },
        detail: isShared ? 'Shared view' : 'View',
        isUntrusted: true,
      }))
    },
  })
}

/** Answered from stored threats: typing costs no call. */
function foundActorsOptions(q: string, hasThreats: boolean) {
  return queryOptions({
    queryKey: [...actorsKey, 'palette', q],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { actors } = await getJson('actors', actorListSchema, { query: { q }, signal })
      return actors.slice(0, ACTORS_MAX_COUNT).map(({ name }) => ({
        id: `actor ${name}`,
        label: name,
        icon: 'eye',
        act: { href: `/actors/${pathSegment(name)}` },
        isUntrusted: true,
      }))
    },
    enabled: hasThreats && q.length >= LEAST_LENGTH,
    placeholderData: keepPreviousData,
  })
}

function foundThreatsOptions(q: string, hasThreats: boolean) {
  return queryOptions({
    queryKey: [...threatsKey, 'palette', q],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { threats } = await getJson('threats', threatListSchema, { query: { q }, signal })
      return threats.slice(0, THREATS_MAX_COUNT).map(({ id, title, set }) => ({
        id: `threat ${id}`,
        label: title ?? 'Untitled threat',
        icon: 'alert',
        act: { href: `/threats/${pathSegment(id)}?set=${set}` },
        isUntrusted: true,
      }))
    },
    enabled: hasThreats && q.length >= LEAST_LENGTH,
    placeholderData: keepPreviousData,
  })
}

const PAGES: readonly (readonly [label: string, href: string, words?: string])[] = [
  ['Overview', '/', 'home start dashboard'],
  ['Threats', '/threats', 'feed list search'],
  ['Shift', '/shift', 'handover since last visit news closed comments'],
  ['Actors', '/actors', 'groups'],
  ['Countries', '/countries', 'map world'],
  ['Alerts', '/alerts', 'profiles'],
  ['Metrics', '/metrics', 'report numbers print'],
  ['Settings', '/settings', 'profile password time zone name'],
]
const ANALYST_PAGES: typeof PAGES = [
  ['New alert profile', '/alerts/new', 'create build keywords'],
  ['Deliveries', '/alerts/deliveries', 'alerts messages ledger sent failed'],
]
const ADMIN_PAGES: typeof PAGES = [
  ['Settings: API access', '/settings?tab=api', 'key vendor plan budget'],
  ['Settings: Users', '/settings?tab=users', 'roles invite people'],
  ['Settings: Cases', '/settings?tab=cases', 'due times overdue hours severity'],
  ['Settings: Audit log', '/settings?tab=audit', 'history changes who'],
  ['API calls', '/settings/calls', 'ledger budget'],
]
const THEME_NAMES = { system: 'the system’s', light: 'light', dark: 'dark' } as const
const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const

function pageCommands(role: Role): Command[] {
  const ofAnalyst = role === 'viewer' ? [] : ANALYST_PAGES
  return [...PAGES, ...ofAnalyst, ...(role === 'admin' ? ADMIN_PAGES : [])].map(([label, href, words]) => ({
    id: `page ${href}`,
    label,
    icon: 'chevron-right',
    act: { href },
    words,
  }))
}

/** Commands for what is open or selected on the page behind the palette. */
function pageActCommands(): Command[] {
  return readPageActs().map(({ label, subject, icon, words, run }) => ({
    id: `act ${label} ${subject ?? ''}`,
    label,
    subject,
    icon,
    act: { run },
    words,
  }))
}

function actionCommands(): Command[] {
  return [
    ...THEMES.map(
      (theme): Command => ({
        id: `theme ${theme}`,
        label: `Theme: ${THEME_NAMES[theme]}`,
        icon: THEME_ICONS[theme],
        act: { theme },
        words: 'colour appearance mode',
      }),
    ),
    { id: 'keys', label: 'Keys', icon: 'keyboard', act: { shows: 'keys' }, words: 'shortcuts help' },
  ]
}

function countryCommands(query: string): Command[] {
  const named = findCountryCode(query)
  return COUNTRY_CODES.map((code) => ({
    id: `country ${code}`,
    label: countryName(code) ?? code,
    icon: 'globe',
    act: { href: `/countries/${code}` },
    words: code === named ? query : code,
    detail: code,
  }))
}

const SEVERITIES = ['critical', 'high', 'medium', 'low']
const NAMED = /(?:^|\s)(category|country|severity|actor|industry|show|from|to)\s*:/giu
const DAY = /^\d{4}-\d\d-\d\d$/
const MAX_COUNT = 8

/** One filter: what it is found by and called, and its name in the feed's address. */
type Choice = { label: string; words?: string; search: [name: string, value: string] }
type Pair = { name: string; value: string }

/**
 * Returns commands that filter threats by `category: ran` or `country: de severity: crit`. Other text is searched. Empty
 * text has no commands.
 */
function filterCommands(query: string, categories: readonly string[]): Command[] {
  const { text, pairs } = readPairs(query)
  const searched: Choice[] = text === '' ? [] : [{ label: `with “${text}”`, search: ['q', text] }]
  const last = pairs.at(-1)
  if (!last) return searched.map((choice) => toCommand([choice]))
  const fixed = pairs.slice(0, -1).map((pair) => findChoices(pair, categories).at(0))
  // One that is meant but unknown must not be left out unseen.
  if (fixed.includes(undefined)) return []
  const sure = [...searched, ...fixed.filter((choice) => choice !== undefined)]
  return findChoices(last, categories).map((choice) => toCommand([...sure, choice]))
}

/** The search of threats that a text in the query language asks for; words alone are found among all else. */
function searchCommands(query: string): Command[] {
  const { tree, faults } = parseQuery(query)
  if (faults.length > 0 || isPlain(tree)) return []
  const href = `/threats?${new URLSearchParams({ q: query })}`
  return [
    { id: 'search', label: `Search threats for ${query}`, icon: 'search', act: { href }, isUntrusted: true },
  ]
}

/** Returns true if the text contains a filter. It is then not searched as a name. */
function isFilter(query: string): boolean {
  return readPairs(query).pairs.length > 0
}

function readPairs(query: string): { text: string; pairs: Pair[] } {
  const names = [...query.matchAll(NAMED)]
  const pairs = names.map((match, at) => ({
    name: match[1]?.toLowerCase() ?? '',
    value: query.slice(match.index + match[0].length, names[at + 1]?.index).trim(),
  }))
  return { text: query.slice(0, names[0]?.index).trim(), pairs }
}

function findChoices({ name, value }: Pair, categories: readonly string[]): Choice[] {
  if (name !== 'actor' && name !== 'industry') {
    return rankCommands(listChoices(name, value, categories), value, MAX_COUNT)
  }
  return value === '' ? [] : [{ label: `${name} “${value}”`, search: [name, value] }]
}

/** The words are the choice alone, so that `country: c` does not find every country. */
function listChoices(name: string, value: string, categories: readonly string[]): Choice[] {
  const plain = (choices: readonly string[], param = name) =>
    choices.map((choice): Choice => ({ label: choice, search: [param, choice] }))
  if (name === 'category') return plain(categories)
  if (name === 'severity') return plain(SEVERITIES)
  if (name === 'show') return plain(TRIAGE_FILTERS, 'triage')
  if (name === 'country') {
    const named = findCountryCode(value)
    return COUNTRY_CODES.map((code) => ({
      label: countryName(code) ?? code,
      words: code === named ? value : code,
      search: [name, code],
    }))
  }
  const day = DAY.test(value) ? value : todayIn(readPreferences().timeZone, Date.now())
  return [{ label: `${name} ${day}`, words: day, search: [name, day] }]
}

function toCommand(choices: readonly Choice[]): Command {
  const href = `/threats?${new URLSearchParams(choices.map(({ search }) => search))}`
  const label = `Threats: ${choices.map((choice) => choice.label).join(', ')}`
  return { id: `filter ${href}`, label, icon: 'filter', act: { href }, isUntrusted: true }
}
