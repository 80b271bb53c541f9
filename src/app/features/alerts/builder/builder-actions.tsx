import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertCreated, AlertDraft, Backtest } from '#contract/bff/alert.ts'
import { forecastInShort, isNoisy } from '../backtest/backtest-words.ts'
import type { Home } from './choose-home.ts'
import { isUnclear, UnclearOutcome } from './unclear-outcome.tsx'

type BuilderActionsProps = {
  isViewer: boolean
  /** Place where a new profile runs; null for one that is changed. */
  home: Home | null
  onChooseHome(isForLantern: boolean): void
  create: UseMutationResult<AlertCreated, Error, AlertDraft>
  /** Why a change, or a profile in Lantern, was refused. */
  error: Error | null
  isEdited: boolean
  isBusy: boolean
  /** The decision that is needed before it is sent. */
  question: ReactNode
  name: string
  /** Fields that keep the draft from being sent. */
  faultCount: number
  backtest: Backtest | undefined
  onDiscard(): void
}

/** Stays in sight at the foot of the viewport: how the last try went, what the draft would bring, and the button. */
export function BuilderActions(props: BuilderActionsProps) {
  const { isViewer, home, create, error, isEdited, question, name, faultCount, backtest } = props
  return (
    <div className="sticky bottom-0 z-10 -mx-4 grid gap-2 border-line border-t bg-canvas px-4 py-3 sm:mx-0 sm:px-0">
      {isUnclear(create.error) && (
        <UnclearOutcome key={create.submittedAt} error={create.error} name={name} />
      )}
      {create.error && !isUnclear(create.error) && <ErrorPanel error={create.error} />}
      {error && <ErrorPanel error={error} />}
      {question}
      {isViewer && (
        <p className="flex items-start gap-2 text-muted text-sm">
          <Icon name="lock" className="mt-0.5 size-4 text-faint" />
          Viewers may try searches here. Creating a profile takes the role of analyst, which an admin can give
          you.
        </p>
      )}
      {home && !isViewer && <HomeLine home={home} onChoose={props.onChooseHome} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          disabled={isViewer}
          isBusy={props.isBusy}
          className="max-sm:h-11"
        >
          {isEdited ? 'Save' : 'Create profile'}
        </Button>
        <Button variant="quiet" className="max-sm:h-11" onClick={props.onDiscard}>
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

type HomeLineProps = { home: Home; onChoose(isForLantern: boolean): void }

/** Says where the profile runs, and offers the other where it may run there, too. */
function HomeLine({ home: { runsIn, sentence, other }, onChoose }: HomeLineProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      <span className="min-w-0">
        <Untrusted text={sentence} maxLength={400} clip="silent" isRaw />
      </span>
      {other !== null && (
        <Button size="small" className="max-sm:h-11" onClick={() => onChoose(runsIn === 'vendor')}>
          {other}
        </Button>
      )}
    </p>
  )
}
