import type { FormEvent, ReactNode, Ref } from 'react'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { AlertDestinations, KeywordShare } from '#contract/bff/alert.ts'
import type { BuilderDraft } from './builder-draft.ts'
import { CategoryField } from './category-field.tsx'
import { type DraftFaults, findDuplicates } from './check-draft.ts'
import { DestinationFields, type KeptDestinations, noteOf } from './destination-fields.tsx'
import { FLAG_WORDS } from './flag-words.ts'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'
import { splitKeywords } from './split-values.ts'

type AlertFormProps = {
  ref: Ref<HTMLFormElement>
  draft: BuilderDraft
  original: AlertDestinations | undefined
  /** What a profile that is changed has already. */
  kept: KeptDestinations | undefined
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
  const { ref, draft, original, kept, faults, shares, onChange, onSubmit, children } = props
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
      <DestinationFields draft={draft} faults={faults} kept={kept} onChange={onChange}>
        {original && <CopiedDestinations destinations={original} />}
      </DestinationFields>
      <p className="text-faint text-xs">
        The draft stays in this tab until you create or discard it, but for webhooks: they are secrets, and
        gone when you reload.
      </p>
      {children}
    </form>
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
