import { useQuery } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactNode, type Ref, Suspense, useId } from 'react'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { TextField } from '#app/ui/field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertDestinations, KeywordShare } from '#contract/bff/alert.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { firstPositions } from '#matcher/keyword.ts'
import { FLAG_WORDS } from '../backtest/flag-words.ts'
import { NoEmailNote } from '../no-email-note.tsx'
import { destinationsInWords, ProfileDestinations } from '../profiles/profile-destinations.tsx'
import { type RecipientFieldsProps, SignedWebhook, UserChoice } from '../recipients/recipient-fields.tsx'
import { type BuilderDraft, type Edited, SHIFT_SCHEDULE, usedPart } from './builder-draft.ts'
import type { DraftFaults } from './check-draft.ts'
import type { Home } from './choose-home.ts'
import { DestinationFields, noteOf } from './destination-fields.tsx'
import { hasFilter } from './has-filter.ts'
import { ProfileFilterChips } from './profile-filter-chips.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { splitKeywords } from './split-values.ts'
import { loadSearchWords, type SearchWords } from './use-search-words.ts'

// Only a profile that is changed needs it.
const KeptRecipients = lazy(async () => ({
  default: (await import('../recipients/kept-recipients.tsx')).KeptRecipients,
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
  /** False if Lantern would send the messages and has no mail server. */
  hasEmail: boolean
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
  const { isShift } = draft
  const recipients = edited?.runsIn === 'lantern' ? edited.profile.recipients : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={ref} noValidate autoComplete="off" className={FORM} onSubmit={submit}>
      <SectionCard title="Profile">
        <div className="grid gap-4 p-4">
          {!isOfVendor && <KindSwitch draft={draft} onChange={onChange} />}
          {!isOfVendor && !isShift && <ModeSwitch {...props} />}
          <TextField
            label="Name"
            name="name"
            value={draft.name}
            error={faults.get('name')}
            placeholder="Our suppliers"
            onChange={(event) => onChange({ name: event.target.value })}
          />
          {!isShift && <ConditionFields {...props} />}
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
          {!props.hasEmail && <NoEmailNote />}
          {isShift ? (
            <p className="text-muted text-xs">
              Only users of Lantern can receive it, because it contains comments of the team.
              {draft.kept.length > usedPart(draft, edited).kept.length &&
                ' Saving removes the other recipients.'}
            </p>
          ) : (
            <DestinationFields draft={draft} faults={faults} onChange={onChange} />
          )}
          {!isOfVendor && !isShift && <SignedWebhook draft={draft} faults={faults} onChange={onChange} />}
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
          isDigest={isShift}
          timeZone={timeZone}
          fault={faults.get('quiet-to')}
          onChange={(schedule) => onChange({ schedule })}
        />
      )}
      <p className="text-faint text-xs">
        Draft kept in this tab.{!isShift && ' Webhook URLs are not saved.'}
      </p>
      {children}
    </form>
  )
}

/** Chooses what the profile sends. */
function KindSwitch({ draft: { isShift, schedule }, onChange }: RecipientFieldsProps) {
  return (
    <div className="grid gap-1 text-sm">
      <RadioRow
        legend="Sends"
        name="sends"
        value={isShift ? 'shift' : 'matches'}
        options={KINDS}
        onChange={(kind) =>
          onChange(
            kind === 'shift'
              ? { isShift: true, schedule: schedule.kind === 'atOnce' ? SHIFT_SCHEDULE : schedule }
              : { isShift: false },
          )
        }
      />
      {isShift && (
        <p className="text-muted">
          The digest contains what concerns us, overdue cases, new claims, closed cases, open cases by owner,
          and comments, since the previous digest. The first one covers the last 24 hours.
        </p>
      )}
    </div>
  )
}

const KINDS = [
  ['matches', 'Matching threats'],
  ['shift', 'The Shift page'],
] as const

type RadioRowProps<Value extends string> = {
  legend: string
  name: string
  value: Value
  options: readonly (readonly [Value, string])[]
  disabled?: Value | null
  onChange(value: Value): void
}

/** Radio buttons of a few words, side by side. */
function RadioRow<Value extends string>(props: RadioRowProps<Value>) {
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="mb-1 font-medium text-muted text-xs">{props.legend}</legend>
      {props.options.map(([value, label]) => (
        <label
          key={value}
          className="flex h-8 cursor-pointer items-center gap-2 rounded-md border border-line px-2.5 text-sm hover:bg-hover has-checked:border-accent/50 has-checked:bg-accent/10 max-sm:h-11"
        >
          <input
            type="radio"
            name={props.name}
            checked={props.value === value}
            disabled={props.disabled === value}
            onChange={() => props.onChange(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function ConditionFields(props: AlertFormProps) {
  return props.draft.mode === 'search' ? <SearchFields {...props} /> : <KeywordFields {...props} />
}

function KeywordFields({ draft, faults, shares, onChange }: AlertFormProps) {
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

function SearchFields({ draft: { filter }, faults, renderSearch, searchError, onChange }: AlertFormProps) {
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
function ModeSwitch({ draft, words, onChange }: AlertFormProps) {
  const simple = draft.mode === 'search' && hasFilter(draft.filter) ? words?.toSimple(draft.filter) : null
  const lack = simple && 'lack' in simple ? simple.lack : null
  const choose = async (mode: BuilderDraft['mode']) => {
    if (mode === 'search') return onChange({ mode, filter: (await loadSearchWords()).filterOfDraft(draft) })
    onChange({ mode, ...(simple && !('lack' in simple) && simple) })
  }
  return (
    <div className="grid gap-1">
      <RadioRow
        legend="Look for"
        name="mode"
        value={draft.mode}
        options={MODES}
        disabled={lack === null ? null : 'simple'}
        onChange={choose}
      />
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
        Addresses cannot be copied. Enter the ones for this profile. The original has:
      </p>
      <ProfileDestinations destinations={destinations} />
    </div>
  )
}

type CategoryFieldProps = {
  values: readonly string[]
  error?: ReactNode
  onChange(values: string[]): void
}

/** A further condition. None ticked is any. */
function CategoryField({ values, error, onChange }: CategoryFieldProps) {
  const id = useId()
  const { data: source } = useQuery(sourceOptions())
  // All that may be ticked, as far as anyone knows.
  const all = [...new Set([...(source?.categories ?? []), ...values])]
  const toggle = (category: string) => {
    onChange(values.includes(category) ? values.filter((each) => each !== category) : [...values, category])
  }
  return (
    <fieldset aria-labelledby={id} aria-describedby={`${id}-note`} className="grid min-w-0 gap-1">
      <legend id={id} className="mb-1 font-medium text-muted text-xs">
        Categories
      </legend>
      <div className="flex flex-wrap gap-1.5">
        {all.map((category, index) => (
          <label
            key={category}
            className="flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm hover:bg-hover has-checked:border-accent/50 has-checked:bg-accent/10 max-sm:h-11"
          >
            <input
              type="checkbox"
              name={index === 0 ? 'categories' : undefined}
              checked={values.includes(category)}
              onChange={() => toggle(category)}
            />
            <span className="min-w-0 truncate">
              <Untrusted text={category} maxLength={60} clip="silent" />
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={`text-xs ${error ? 'text-critical' : 'text-faint'}`}>
        {error ??
          (values.length === 0 ? 'None ticked: threats of any category.' : 'Selected categories only')}
      </p>
    </fieldset>
  )
}
