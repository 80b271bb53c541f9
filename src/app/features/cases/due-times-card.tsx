import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { keysOf } from '#app/features/live/live-options.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { fieldReason } from '#app/ui/use-form.ts'
import { DUE_HOURS_MAX, type DueTimes, dueTimesSchema } from '#contract/bff/due-time.ts'
import { SEVERITIES, type Severity } from '#contract/severity.ts'

const LABELS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

/** Admins set after how many hours a case is due. */
export function DueTimesCard() {
  const query = useQuery(dueTimesOptions())
  const change = useMutation(dueTimesMutation(useQueryClient()))
  return (
    <SectionCard title="Due times">
      <div className="grid max-w-[80ch] gap-4 p-4">
        <p className="text-muted text-sm">
          Hours to close a case, counted from when Lantern read a claim of it. Of its open claims, the one
          that is due first counts. Leave a severity empty for no due time.
        </p>
        <LoadedPart query={query} name="the due times" heights={['h-20']}>
          {(times) => (
            // The key shows what another admin has set meanwhile: nobody replaces it unseen.
            <DueTimesForm
              key={JSON.stringify(times)}
              times={times}
              error={change.error}
              isBusy={change.isPending}
              onSave={change.mutate}
            />
          )}
        </LoadedPart>
        <p role="status" className="text-muted text-sm empty:hidden">
          {change.isSuccess && 'Saved. It applies to all open cases at once.'}
        </p>
      </div>
    </SectionCard>
  )
}

type DueTimesFormProps = {
  times: DueTimes
  error: Error | null
  isBusy: boolean
  onSave(times: DueTimes): void
}

function DueTimesForm({ times, error, isBusy, onSave }: DueTimesFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const hoursOf = (severity: Severity) => {
      const text = String(form.get(severity)).trim()
      return text === '' ? null : Number(text)
    }
    onSave({
      critical: hoursOf('critical'),
      high: hoursOf('high'),
      medium: hoursOf('medium'),
      low: hoursOf('low'),
    })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {SEVERITIES.map((severity) => (
          <TextField
            key={severity}
            label={`${LABELS[severity]} (hours)`}
            name={severity}
            type="number"
            min={1}
            max={DUE_HOURS_MAX}
            step={1}
            placeholder="none"
            defaultValue={times[severity] ?? ''}
            error={error && fieldReason(error, severity)}
          />
        ))}
      </div>
      <ActionError error={error} not="saved" />
      <Button type="submit" isBusy={isBusy} className="justify-self-start max-sm:h-11">
        Save due times
      </Button>
    </form>
  )
}

const dueTimesKey = ['due-times'] as const

function dueTimesOptions() {
  return queryOptions({
    queryKey: dueTimesKey,
    queryFn: ({ signal }) => getJson('due-times', dueTimesSchema, { signal }),
  })
}

function dueTimesMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (body: DueTimes) => sendJson('due-times', dueTimesSchema, { method: 'PUT', body }),
    onSuccess: (times) => queryClient.setQueryData(dueTimesOptions().queryKey, times),
    onSettled() {
      // Other cases are due now.
      for (const queryKey of keysOf('triage')) queryClient.invalidateQueries({ queryKey })
    },
  })
}
