import { useQuery, useQueryClient } from '@tanstack/react-query'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { doneOf, triageActs, triageChoices } from './triage-buttons.tsx'
import { doneForAll, type TriageCommand } from './triage-command.ts'
import { triageStatesOptions } from './triage-options.ts'

type TriageMenuProps = {
  /** Named by the buttons that open it. */
  id: string
  /** State of the threat that the menu was opened for. */
  state: TriageState | undefined
  onCommand(command: TriageCommand): void
}

/** Menu of actions for one threat. All rows share it. */
export function TriageMenu({ id, state, onCommand }: TriageMenuProps) {
  return (
    <Menu id={id} label="Actions" align="end">
      {triageChoices(doneOf(state)).map(({ command, icon, label }) => (
        <MenuItem key={command} icon={icon} onSelect={() => onCommand(command)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

type RowActsProps = {
  threat: Threat
  state: TriageState | undefined
  isSelected: boolean
  onSelect(): void
  /** Undefined where commands are for the selected threats, and for readers who may do nothing. */
  onCommand: ((command: TriageCommand) => void) | undefined
}

/** Palette commands for the row with the keyboard focus. */
export function RowActs({ threat, state, isSelected, onSelect, onCommand }: RowActsProps) {
  const subject = threat.title?.trim() || 'Untitled threat'
  usePageActs(() => [
    ...(onCommand ? triageActs(doneOf(state), { subject }, onCommand) : []),
    { label: isSelected ? 'Unselect' : 'Select', subject, icon: 'check', run: onSelect },
  ])
  return null
}

type BulkButtonsProps = {
  ids: readonly string[]
  /** Each row of the list is one. */
  noun: 'case' | 'claim'
  onCommand(command: TriageCommand): void
}

/** Actions for all selected threats, including those out of sight. */
export function BulkButtons({ ids, noun, onCommand }: BulkButtonsProps) {
  const queryClient = useQueryClient()
  // Until the answer is there, what the rows in sight show is enough.
  useQuery(triageStatesOptions(ids))
  usePageActs(() =>
    triageActs(doneForAll(queryClient, ids), countOf(ids.length, `selected ${noun}`), onCommand),
  )
  return triageChoices(doneForAll(queryClient, ids)).map(({ command, icon, label }) => (
    <Button key={command} variant="quiet" size="small" icon={icon} onClick={() => onCommand(command)}>
      {label}
    </Button>
  ))
}
