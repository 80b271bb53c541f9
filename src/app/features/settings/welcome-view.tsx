import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ownTimeZone, timeZones } from '#app/format/time-zones.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { SelectField } from '#app/ui/field.tsx'
import { changePreferences, readPreferences } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Profile } from '#contract/bff/profile.ts'
import { InterestFields, readInterests, storedInterests } from './interest-fields.tsx'
import { answerWelcomeMutation, profileOptions } from './profile-options.ts'

/** A part of the page that another feature stores. */
export type WelcomePart = {
  field: ReactNode
  /** It cannot be stored yet. The control `domains` shows why. */
  hasFault: boolean
  isEmpty: boolean
  /** Stores it; a second time changes nothing. */
  save(): Promise<void>
}

type WelcomeViewProps = {
  /** Null for people who make no lists. */
  domains: WelcomePart | null
  /** `hasFindings`: something was given that threats can match. */
  onSaved(hasFindings: boolean): void
  onSkipped(): void
}

/** Requests what Lantern needs to show what concerns somebody. Every part can be left as it is. */
export function WelcomeView(props: WelcomeViewProps) {
  const { data: profile, error, refetch } = useQuery(profileOptions())
  return (
    <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="Welcome" />
      <h1 className="font-semibold text-xl tracking-tight">Welcome</h1>
      <p className="text-muted text-sm">
        Enter what concerns you, and Lantern shows which threats match. Every field is optional. You can
        change all of them later in Settings and Lists.
      </p>
      {profile ? (
        <WelcomeForm {...props} profile={profile} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton className="h-96 w-full rounded-lg" />
      )}
    </div>
  )
}

// The bar at the foot of the viewport must not cover what takes the focus.
const FORM = 'grid gap-4 [&_button]:scroll-mb-32 [&_input]:scroll-mb-32 [&_textarea]:scroll-mb-32'

function WelcomeForm({ profile, domains, onSaved, onSkipped }: WelcomeViewProps & { profile: Profile }) {
  const stored = profile.preferences ?? readPreferences()
  const answer = useMutation(answerWelcomeMutation(useQueryClient()))
  const [timeZone, setTimeZone] = useState(() =>
    profile.hasChosenTimeZone === false ? ownTimeZone() : stored.timeZone,
  )
  const [zones] = useState(() => [...new Set([...timeZones(), timeZone])])
  const [interests, setInterests] = useState(() => readInterests(stored))
  const [isRefused, setIsRefused] = useState(false)
  const save = useMutation({
    async mutationFn() {
      await domains?.save()
      const preferences = { ...readPreferences(), timeZone, ...storedInterests(interests) }
      await answer.mutateAsync(preferences)
      changePreferences(preferences)
    },
    onSuccess: () =>
      onSaved(domains?.isEmpty === false || interests.countries.length + interests.industries.length > 0),
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const faulty = domains?.hasFault ? '[aria-invalid="true"], [name="domains"]' : '[aria-invalid="true"]'
    const invalid = event.currentTarget.querySelector<HTMLElement>(faulty)
    setIsRefused(invalid !== null)
    if (invalid) invalid.focus()
    else if (!save.isPending) save.mutate()
  }
  const skip = () => {
    // Nobody waits for it: a skipped page that is offered once more does no harm.
    answer.mutate(null)
    onSkipped()
  }

  return (
    <form noValidate onSubmit={submit} className={FORM}>
      <SectionCard title="Time zone">
        <div className="p-4">
          <SelectField
            label="Show times in"
            hint="All times, day filters and charts use it."
            value={timeZone}
            onChange={(event) => setTimeZone(event.target.value)}
          >
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </SelectField>
        </div>
      </SectionCard>
      <SectionCard title="My interests">
        <div className="grid gap-4 p-4">
          <InterestFields interests={interests} onChange={setInterests} />
        </div>
      </SectionCard>
      {domains && (
        <SectionCard title="Own domains">
          <div className="p-4">{domains.field}</div>
        </SectionCard>
      )}
      <div className="sticky bottom-0 z-10 -mx-4 grid gap-2 border-line border-t bg-canvas px-4 py-3 sm:mx-0 sm:px-0">
        {isRefused && (
          <p role="alert" className="text-critical text-sm">
            Not saved. Correct or remove what is marked in red.
          </p>
        )}
        <ActionError error={save.error} not="saved" />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" isBusy={save.isPending} className="max-sm:h-11">
            Save
          </Button>
          <Button variant="quiet" onClick={skip} className="max-sm:h-11">
            Skip for now
          </Button>
        </div>
      </div>
    </form>
  )
}
