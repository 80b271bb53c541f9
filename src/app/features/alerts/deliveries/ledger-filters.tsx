import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import { DELIVERY_CHANNELS } from '#contract/delivery.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { knownAlertListOptions } from '../alert-options.ts'
import type { LedgerSearch } from '../alert-search.ts'
import { watchListOptions } from '../watch-options.ts'
import { CHANNELS } from './delivery-words.ts'

type LedgerFiltersProps = { search: LedgerSearch; onSearch(change: LedgerSearch): void }

const NONE: LedgerSearch = { state: undefined, channel: undefined, profile: undefined, watch: undefined }
const NAME_MAX_LENGTH = 60

/** Whose messages, and by which way. */
export function LedgerFilters({ search, onSearch }: LedgerFiltersProps) {
  const { data: source } = useQuery(sourceOptions())
  // What a vendor asks a call for has no messages here.
  const { data: list } = useQuery({
    ...knownAlertListOptions(useTimeZone()),
    enabled: source?.isOwnService === true,
  })
  const { data: watched } = useQuery(watchListOptions())
  const profiles = (list?.profiles ?? []).map(({ id, name }) => ({ value: `profile ${id}`, name }))
  const watches = (watched?.watches ?? []).map(({ id, viewName }) => ({
    value: `watch ${id}`,
    name: viewName,
  }))
  const { profile, watch } = search
  const chosen = profile ? `profile ${profile}` : watch ? `watch ${watch}` : ''
  const isListed = [...profiles, ...watches].some(({ value }) => value === chosen)
  const isFiltered = Boolean(search.state ?? search.channel ?? profile ?? watch)

  return (
    <div className="grid grid-cols-2 items-end gap-3 border-line border-t px-4 py-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,20rem)_auto]">
      <SelectField
        label="Way"
        value={search.channel ?? ''}
        onChange={(event) => onSearch({ channel: event.target.value || undefined })}
      >
        <option value="">Every way</option>
        {DELIVERY_CHANNELS.map((channel) => (
          <option key={channel} value={channel}>
            {CHANNELS[channel]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Profile or watch"
        value={chosen}
        onChange={({ target: { value } }) => {
          const id = value.slice(value.indexOf(' ') + 1)
          onSearch({
            profile: value.startsWith('profile ') ? id : undefined,
            watch: value.startsWith('watch ') ? id : undefined,
          })
        }}
      >
        <option value="">All</option>
        {chosen !== '' && !isListed && (
          <option value={chosen}>{profile ? 'One profile' : 'One watch'}</option>
        )}
        <Choices label="Profiles" choices={profiles} />
        <Choices label="Watches" choices={watches} />
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

function Choices({ label, choices }: { label: string; choices: readonly { value: string; name: string }[] }) {
  if (choices.length === 0) return null
  return (
    <optgroup label={label}>
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {visibleLine(name).slice(0, NAME_MAX_LENGTH) || '(blank)'}
        </option>
      ))}
    </optgroup>
  )
}
