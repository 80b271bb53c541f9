import type { FormEvent, ReactNode, Ref } from 'react'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { AlertDestinations, KeywordShare } from '#contract/bff/alert.ts'
import type { BuilderDraft } from './builder-draft.ts'
import { CategoryField } from './category-field.tsx'
import { type DraftFaults, findDuplicates } from './check-draft.ts'
import { DeliveryNote } from './delivery-note.tsx'
import { FLAG_WORDS } from './flag-words.ts'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'
import { splitEmails, splitKeywords } from './split-values.ts'

type AlertFormProps = {
  ref: Ref<HTMLFormElement>
  draft: BuilderDraft
  original: AlertDestinations | undefined
  faults: DraftFaults
  /** What the backtest found out about keywords. */
  shares: readonly KeywordShare[]
  onChange(change: Partial<BuilderDraft>): void
  onSubmit(): void
  /** What stands under the fields: the outcome of a try, and the button. */
  children: ReactNode
}

// The bar at the foot of the viewport must not cover what takes the focus.
const FORM = 'grid min-w-0 gap-4 [&_button]:scroll-mb-32 [&_input]:scroll-mb-32'

/** The fields of a profile. */
export function AlertForm(props: AlertFormProps) {
  const { ref, draft, original, faults, shares, onChange, onSubmit, children } = props
  const duplicates = findDuplicates(draft.keywords)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={ref} noValidate autoComplete="off" className={FORM} onSubmit={submit}>
      <SectionCard title="What to watch for">
        <div className="grid gap-4 p-4">
          <TextField
            label="Name"
            name="name"
            value={draft.name}
            error={faults.get('name')}
            placeholder="Our suppliers"
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <ChipField
            label="Keywords"
            name="keywords"
            hint="Words or “quoted phrases”. Enter or a comma ends one; one of them in a record is a match."
            error={faults.get('keywords')}
            values={draft.keywords}
            split={splitKeywords}
            noteOf={(keyword, at) =>
              noteOf(faults.get(`keywords.${at}`)) ?? keywordNote(keyword, duplicates.has(at), shares)
            }
            onChange={(keywords) => onChange({ keywords })}
          />
          <CategoryField
            values={draft.categories}
            error={faults.get('categories') ?? firstIn(faults, 'categories.')}
            onChange={(ticked) => onChange({ categories: ticked })}
          />
        </div>
      </SectionCard>
      <SectionCard title="Destinations" note={<span className="text-faint text-xs">All optional</span>}>
        <div className="grid gap-4 p-4">
          <p className="text-muted text-sm">
            <DeliveryNote
              own="Addresses are kept with the profile, but this service does not send yet."
              vendor="When a new threat matches, your vendor sends the messages to these addresses."
            />
          </p>
          {original && <CopiedDestinations destinations={original} />}
          <ChipField
            label="Email"
            name="email"
            inputMode="email"
            error={faults.get('email')}
            values={draft.email}
            split={splitEmails}
            noteOf={(_address, at) => noteOf(faults.get(`email.${at}`))}
            onChange={(email) => onChange({ email: [...new Set(email)] })}
          />
          <WebhookField
            label="Slack webhook"
            name="slack"
            placeholder="https://hooks.slack.com/services/…"
            value={draft.slack}
            fault={faults.get('slack')}
            hint="From an incoming webhook of your Slack workspace."
            onChange={(slack) => onChange({ slack })}
          />
          <WebhookField
            label="Teams webhook"
            name="teams"
            placeholder="https://….logic.azure.com/workflows/…"
            value={draft.teams}
            fault={faults.get('teams')}
            hint="From a workflow of your Teams channel, not from an Office 365 connector."
            onChange={(teams) => onChange({ teams })}
          />
        </div>
      </SectionCard>
      <p className="text-faint text-xs">
        The draft stays in this tab until you create or discard it, but for webhooks: they are secrets, and
        gone when you reload. A profile cannot be changed later.
      </p>
      {children}
    </form>
  )
}

type WebhookFieldProps = {
  label: string
  name: 'slack' | 'teams'
  placeholder: string
  hint: string
  value: string
  fault: ReactNode
  onChange(value: string): void
}

/** Whatever is typed, nothing else on the page ever shows it. */
function WebhookField({ fault, hint, value, onChange, ...field }: WebhookFieldProps) {
  return (
    <TextField
      {...field}
      type="url"
      value={value}
      spellCheck={false}
      hint={value.trim() !== '' && !fault ? 'The address has the right form.' : hint}
      error={fault}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function noteOf(fault: ReactNode): ChipNote | null {
  return fault === undefined ? null : { tone: 'danger', text: fault }
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
