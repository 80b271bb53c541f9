import { type FormEvent, lazy, type ReactNode, type Ref, Suspense } from 'react'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { AlertDestinations, KeywordShare } from '#contract/bff/alert.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { firstPositions } from '#matcher/keyword.ts'
import type { BuilderDraft, Edited } from './builder-draft.ts'
import { CategoryField } from './category-field.tsx'
import type { DraftFaults } from './check-draft.ts'
import type { Home } from './choose-home.ts'
import { DestinationFields, noteOf } from './destination-fields.tsx'
import { FLAG_WORDS } from './flag-words.ts'
import { hasFilter } from './has-filter.ts'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'
import { ProfileFilterChips } from './profile-filter-chips.tsx'
import { SignedWebhook, UserChoice } from './recipients/recipient-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { splitKeywords } from './split-values.ts'
import { loadSearchWords, type SearchWords } from './use-search-words.ts'

// Only a profile that is changed needs it.
const KeptRecipients = lazy(async () => ({
  default: (await import('./recipients/kept-recipients.tsx')).KeptRecipients,
}))

/** Draws the search line of the feed. */
export type RenderSearch = (search: {
  value: string
  /** The filters beside the search. */
  filter: ThreatFilter
  error: Error | null
  onCommit(text: string): void
}) => ReactNode

type AlertFormProps = {
  ref: Ref<HTMLFormElement>
  draft: BuilderDraft
  original: AlertDestinations | undefined
  edited: Edited | undefined
  runsIn: Home['runsIn']
  timeZone: string
  words: SearchWords | null
  renderSearch: RenderSearch
  /** Why the search has no answer. */
  searchError: Error | null
  faults: DraftFaults
  /** Results of the backtest for each keyword. */
  shares: readonly KeywordShare[]
  onChange(change: Partial<BuilderDraft>): void
  onSubmit(): void
  /** Content below the fields: the result of the last try, and the button. */
  children: ReactNode
}

// The bar at the foot of the viewport must not cover what takes the focus.
const FORM = 'grid min-w-0 gap-4 [&_button]:scroll-mb-32 [&_input]:scroll-mb-32'

/** The fields of a profile. */
export function AlertForm(props: AlertFormProps) {
  const { ref, draft, original, edited, runsIn, timeZone, faults, onChange, onSubmit, children } = props
  // One in the vendor's account has keywords and destinations alone.
  const isOfVendor = edited?.runsIn === 'vendor'
  const recipients = edited?.runsIn === 'lantern' ? edited.profile.recipients : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={ref} noValidate autoComplete="off" className={FORM} onSubmit={submit}>
      <SectionCard title="Profile">
        <div className="grid gap-4 p-4">
          {!isOfVendor && <ModeSwitch draft={draft} words={props.words} onChange={onChange} />}
          <TextField
            label="Name"
            name="name"
            value={draft.name}
            error={faults.get('name')}
            placeholder="Our suppliers"
            onChange={(event) => onChange({ name: event.target.value })}
          />
          {draft.mode === 'search' ? <SearchFields {...props} /> : <KeywordFields {...props} />}
        </div>
      </SectionCard>
      <SectionCard title="Recipients">
        <div className="grid gap-4 p-4">
          {original && <CopiedDestinations destinations={original} />}
          {edited && (
            <Suspense>
              <KeptRecipients draft={draft} edited={edited} onChange={onChange} />
            </Suspense>
          )}
          {!isOfVendor && (
            <UserChoice draft={draft} recipients={recipients} faults={faults} onChange={onChange} />
          )}
          <DestinationFields draft={draft} faults={faults} onChange={onChange} />
          {!isOfVendor && <SignedWebhook draft={draft} faults={faults} onChange={onChange} />}
          {runsIn === 'lantern' && (
            <Checkbox isChecked={draft.isShared} onChange={(isShared) => onChange({ isShared })}>
              Share with the team
            </Checkbox>
          )}
        </div>
      </SectionCard>
      {!isOfVendor && (
        <ScheduleFields
          schedule={draft.schedule}
          timeZone={timeZone}
          fault={faults.get('quiet-to')}
          onChange={(schedule) => onChange({ schedule })}
        />
      )}
      <p className="text-faint text-xs">Draft kept in this tab. Webhook URLs are not saved.</p>
      {children}
    </form>
  )
}

type FieldsProps = Pick<
  AlertFormProps,
  'draft' | 'faults' | 'shares' | 'renderSearch' | 'searchError' | 'onChange'
>

function KeywordFields({ draft, faults, shares, onChange }: FieldsProps) {
  const positions = firstPositions(draft.keywords)
  return (
    <>
      <ChipField
        label="Keywords"
        name="keywords"
        hint="Words or “quoted phrases”. Enter or a comma ends one. A record matches if it contains any of them."
        error={faults.get('keywords')}
        values={draft.keywords}
        split={splitKeywords}
        noteOf={(keyword, at) =>
          noteOf(faults.get(`keywords.${at}`)) ?? keywordNote(keyword, positions[at] !== at, shares)
        }
        onChange={(keywords) => onChange({ keywords })}
      />
      <CategoryField
        values={draft.categories}
        error={faults.get('categories') ?? firstIn(faults, 'categories.')}
        onChange={(ticked) => onChange({ categories: ticked })}
      />
    </>
  )
}

function SearchFields({ draft: { filter }, faults, renderSearch, searchError, onChange }: FieldsProps) {
  return (
    <div className="grid min-w-0 gap-1">
      {renderSearch({
        value: filter.q ?? '',
        filter,
        error: searchError,
        onCommit: (q) => onChange({ filter: { ...filter, q: q || undefined } }),
      })}
      <ProfileFilterChips filter={filter} onChange={(changed) => onChange({ filter: changed })} />
      {faults.has('search') && (
        <p role="alert" className="text-critical text-xs">
          {faults.get('search')}
        </p>
      )}
    </div>
  )
}

const MODES = [
  ['simple', 'Simple'],
  ['search', 'Search'],
] as const

/** Converts the draft to the other mode as far as that mode can express it. */
function ModeSwitch({ draft, words, onChange }: Pick<AlertFormProps, 'draft' | 'words' | 'onChange'>) {
  const simple = draft.mode === 'search' && hasFilter(draft.filter) ? words?.toSimple(draft.filter) : null
  const lack = simple && 'lack' in simple ? simple.lack : null
  const choose = async (mode: BuilderDraft['mode']) => {
    if (mode === 'search') return onChange({ mode, filter: (await loadSearchWords()).filterOfDraft(draft) })
    onChange({ mode, ...(simple && !('lack' in simple) && simple) })
  }
  return (
    <div className="grid gap-1">
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="mb-1 font-medium text-muted text-xs">Look for</legend>
        {MODES.map(([mode, label]) => (
          <label
            key={mode}
            className="flex h-8 cursor-pointer items-center gap-2 rounded-md border border-line px-2.5 text-sm hover:bg-hover has-checked:border-accent/50 has-checked:bg-accent/10 max-sm:h-11"
          >
            <input
              type="radio"
              name="mode"
              checked={draft.mode === mode}
              disabled={mode === 'simple' && lack !== null}
              onChange={() => choose(mode)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {lack !== null && (
        <p className="text-faint text-xs">The simple form cannot hold this search: it {lack}.</p>
      )}
    </div>
  )
}

/** Troubles only: that a word brings nothing is no fault of it, and the backtest says so. */
function keywordNote(
  keyword: string,
  isDuplicate: boolean,
  shares: readonly KeywordShare[],
): ChipNote | null {
  if (isDuplicate) return { tone: 'warning', text: FLAG_WORDS.duplicate.long }
  const flags = shares.find((share) => share.keyword === keyword)?.flags ?? []
  const trouble = flags.find((flag) => flag !== 'duplicate' && FLAG_WORDS[flag].isTrouble)
  return trouble ? { tone: 'warning', text: FLAG_WORDS[trouble].long } : null
}

function firstIn(faults: DraftFaults, prefix: string): ReactNode {
  return [...faults].find(([field]) => field.startsWith(prefix))?.[1]
}

/** The addresses of the profile that is being copied: nobody can read them back whole. */
function CopiedDestinations({ destinations }: { destinations: AlertDestinations }) {
  if (destinationsInWords(destinations) === '') return null
  return (
    <div role="note" className="grid gap-1 text-sm">
      <p className="font-medium text-medium">A copy begins without addresses</p>
      <p className="text-muted">
        They cannot be read back: enter again those that this one is to have. The original has:
      </p>
      <ProfileDestinations destinations={destinations} />
    </div>
  )
}
