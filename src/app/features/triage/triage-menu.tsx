import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { triageChoices } from './triage-choices.ts'
import type { TriageCommand } from './triage-command.ts'

type TriageMenuProps = {
  /** Named by the buttons that open it. */
  id: string
  /** Of the threat that it was opened for. */
  state: TriageState | undefined
  onCommand(command: TriageCommand): void
}

/** What can be done with one threat, where a row has no room for buttons: one menu for all rows. */
export function TriageMenu({ id, state, onCommand }: TriageMenuProps) {
  return (
    <Menu id={id} label="Actions" align="end">
      {triageChoices(state).map(({ command, icon, label }) => (
        <MenuItem key={command} icon={icon} onSelect={() => onCommand(command)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
