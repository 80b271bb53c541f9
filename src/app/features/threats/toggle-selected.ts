import { SELECTED_MAX_COUNT, type ThreatSearch } from './threat-search.ts'

/** The change that ticks a threat, or unticks it. */
export function toggleSelected({ selected = [] }: ThreatSearch, id: string): Partial<ThreatSearch> {
  if (!selected.includes(id)) return { selected: [...selected, id].slice(0, SELECTED_MAX_COUNT) }
  const others = selected.filter((each) => each !== id)
  return { selected: others.length > 0 ? others : undefined }
}
