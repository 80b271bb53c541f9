import { countryName } from '#app/format/country-name.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { type ThreatFilter, threatFilterSchema } from '#contract/bff/threat-list.ts'

type ProfileFilterChipsProps = { filter: ThreatFilter; onChange(filter: ThreatFilter): void }

/** The filters of a profile beside its search line, each with its way out. */
export function ProfileFilterChips({ filter, onChange }: ProfileFilterChipsProps) {
  const { q, ...others } = filter
  const chips = Object.entries(others).flatMap(([name, given = []]) =>
    [given].flat().map((value) => ({ name, value, without: without(filter, name, value) })),
  )
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap gap-1.5 empty:hidden">
      {chips.map((chip) => (
        <li key={`${chip.name} ${chip.value}`} className="min-w-0 max-w-full">
          <button
            type="button"
            className="group flex h-6 max-w-full items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:border-edge hover:bg-hover max-sm:h-11"
            onClick={() => onChange(chip.without)}
          >
            <VisuallyHidden>Remove</VisuallyHidden>{' '}
            <span className="text-muted capitalize">{chip.name}:</span>{' '}
            <span className="truncate font-medium">
              <Untrusted
                text={chip.name === 'country' ? countryName(chip.value) : chip.value}
                maxLength={60}
                clip="silent"
              />
            </span>
            <Icon name="x" className="size-3 text-faint group-hover:text-ink" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function without(filter: ThreatFilter, name: string, value: string): ThreatFilter {
  const entries = Object.entries(filter).map(([other, given = []]) => {
    if (other !== name) return [other, given]
    const kept = [given].flat().filter((one) => one !== value)
    return [other, kept]
  })
  return threatFilterSchema.parse(
    Object.fromEntries(entries.filter(([, given]) => given !== undefined && given.length > 0)),
  )
}
