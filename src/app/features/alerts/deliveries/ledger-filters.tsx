import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import { DELIVERY_CHANNELS } from '#contract/delivery.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { knownAlertListOptions } from '../alert-options.ts'
import type { LedgerSearch } from '../alert-search.ts'
import { lanternProfileListOptions } from '../lantern-profile-options.ts'
import { CHANNELS } from './delivery-words.ts'

type LedgerFiltersProps = { search: LedgerSearch; onSearch(change: LedgerSearch): void }

const NONE: LedgerSearch = { state: undefined, channel: undefined, profile: undefined }
const NAME_MAX_LENGTH = 60

/** Whose messages, and by which channel. */
export function LedgerFilters({ search, onSearch }: LedgerFiltersProps) {
  const { data: source } = useQuery(sourceOptions())
  const timeZone = useTimeZone()
  // Profiles in the vendor's account have no messages here.
  const { data: list } = useQuery({
    ...knownAlertListOptions(timeZone),
    enabled: source?.isOwnService === true,
  })
  const { data: own } = useQuery(lanternProfileListOptions(timeZone))
  const profiles = [...(list?.profiles ?? []), ...(own?.profiles ?? [])]
  const chosen = search.profile ?? ''
  const isListed = profiles.some(({ id }) => id === chosen)
  const isFiltered = Boolean(search.state ?? search.channel ?? search.profile)

  return (
    <div className="grid grid-cols-2 items-end gap-3 border-line border-t px-4 py-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,20rem)_auto]">
      <SelectField
        label="Channel"
        value={search.channel ?? ''}
        onChange={(event) => onSearch({ channel: event.target.value || undefined })}
      >
        <option value="">All channels</option>
        {DELIVERY_CHANNELS.map((channel) => (
          <option key={channel} value={channel}>
            {CHANNELS[channel]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Profile"
        value={chosen}
        onChange={({ target: { value } }) => onSearch({ profile: value || undefined })}
      >
        <option value="">All profiles</option>
        {chosen !== '' && !isListed && <option value={chosen}>One profile</option>}
        {profiles.map(({ id, name }) => (
          <option key={id} value={id}>
            {visibleLine(name).slice(0, NAME_MAX_LENGTH) || '(blank)'}
          </option>
        ))}
      </SelectField>
      <Button
        variant="quiet"
        disabled={!isFiltered}
        onClick={() => onSearch(NONE)}
        className="justify-self-start max-sm:h-11"
      >
        Clear
      </Button>
    </div>
  )
}
