import { usePageActs } from '#app/ui/page-acts.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { triageActs } from './triage-choices.ts'
import type { TriageCommand } from './triage-command.ts'

type RowActsProps = {
  threat: Pick<Threat, 'title'>
  state: TriageState | undefined
  isSelected: boolean
  onSelect(): void
  /** Undefined where commands are for the selected threats, and for readers who may do nothing. */
  onCommand: ((command: TriageCommand) => void) | undefined
}

/** What the palette can do with the row that the keys are at. */
export function RowActs({ threat, state, isSelected, onSelect, onCommand }: RowActsProps) {
  const subject = threat.title?.trim() || 'Untitled threat'
  usePageActs(() => [
    ...(onCommand ? triageActs(state, { subject }, onCommand) : []),
    { label: isSelected ? 'Unselect' : 'Select', subject, icon: 'check', run: onSelect },
  ])
  return null
}
