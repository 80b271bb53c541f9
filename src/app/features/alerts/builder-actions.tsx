import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { AlertCreated, AlertDraft, Backtest } from '#contract/bff/alert.ts'
import { forecastInShort, isNoisy } from './backtest-words.ts'
import { isUnclear, UnclearOutcome } from './unclear-outcome.tsx'

type BuilderActionsProps = {
  refusal: ReactNode
  create: UseMutationResult<AlertCreated, Error, AlertDraft>
  /** For a profile that is changed. */
  change: Pick<UseMutationResult, 'error' | 'isPending'> | undefined
  /** The list is looked through for a profile of the same name. */
  isLooking: boolean
  /** What is to be decided before it is sent. */
  question: ReactNode
  name: string
  lookCost: ReactNode
  /** Fields that keep the draft from being sent. */
  faultCount: number
  backtest: Backtest | undefined
  onDiscard(): void
}

/** Stays in sight at the foot of the viewport: how the last try went, what the draft would bring, and the button. */
export function BuilderActions(props: BuilderActionsProps) {
  const { refusal, create, change, isLooking, question, name, lookCost, faultCount, backtest, onDiscard } =
    props
  return (
    <div className="sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-canvas px-4 py-3 sm:mx-0 sm:px-0">
      {isUnclear(create.error) && (
        <UnclearOutcome key={create.submittedAt} error={create.error} name={name} cost={lookCost} />
      )}
      {create.error && !isUnclear(create.error) && <ErrorPanel error={create.error} />}
      {change?.error && <ErrorPanel error={change.error} />}
      {question}
      {refusal !== null && (
        <p className="flex items-start gap-2 text-muted text-sm">
          <Icon name="lock" className="mt-0.5 size-4 text-faint" />
          <span>{refusal}</span>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          disabled={refusal !== null}
          isBusy={isLooking || create.isPending || change?.isPending}
          className="max-sm:h-11"
        >
          {change ? 'Save changes' : 'Create profile'}
        </Button>
        <Button variant="quiet" className="max-sm:h-11" onClick={onDiscard}>
          Discard
        </Button>
        <p role="status" className="min-w-0 text-critical text-sm empty:hidden">
          {faultCount > 0 && `${countOf(faultCount, 'thing')} to fix above`}
        </p>
        {backtest && faultCount === 0 && (
          <p className={`text-xs lg:hidden ${isNoisy(backtest) ? 'text-medium' : 'text-muted'}`}>
            {forecastInShort(backtest)}
          </p>
        )}
      </div>
    </div>
  )
}
