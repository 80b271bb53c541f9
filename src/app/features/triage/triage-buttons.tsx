import { Button, IconButton } from '#app/ui/button.tsx'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { doneOf, triageChoices } from './triage-choices.ts'
import type { TriageCommand } from './triage-command.ts'

type TriageButtonsProps = {
  /** Current state; undefined for an untouched threat. */
  state: TriageState | undefined
  /** With words, where there is room. */
  isLabelled?: boolean
  onCommand(command: TriageCommand): void
}

/** Buttons for one threat. */
export function TriageButtons({ state, isLabelled = false, onCommand }: TriageButtonsProps) {
  const choices = triageChoices(doneOf(state))
  // A row has no room for what its menu and its key offer as well.
  const shown = isLabelled ? choices : choices.filter(({ command }) => command !== 'assign')
  return shown.map(({ command, icon, label, key }) => {
    const button = { icon, title: `${label} (${key})`, onClick: () => onCommand(command) }
    return isLabelled ? (
      <Button key={command} size="small" {...button}>
        {label}
      </Button>
    ) : (
      <IconButton key={command} label={label} className="size-7" {...button} />
    )
  })
}
