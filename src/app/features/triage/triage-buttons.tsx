import { Button, IconButton } from '#app/ui/button.tsx'
import type { IconName } from '#app/ui/icon.tsx'
import type { PageAct } from '#app/ui/page-acts.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { TriageCommand } from './triage-command.ts'

/** The state of one threat, or what several threats have in common. */
type Done = Record<'read' | 'starred' | 'closed' | 'mine', unknown>

/** The same of a threat's state; undefined for an untouched one. */
export function doneOf(state: TriageState | undefined): Done | undefined {
  return state && { ...state, mine: state.owner?.isMe }
}

type TriageChoice = { command: TriageCommand; icon: IconName; label: string; key: string }

/** Returns the actions that are possible in this state. Their keys are those of the feed. */
export function triageChoices(done: Done | undefined): TriageChoice[] {
  return [
    done?.read
      ? { command: 'read', icon: 'mail', label: 'Mark as unread', key: 'r' }
      : { command: 'read', icon: 'mail-open', label: 'Mark as read', key: 'r' },
    done?.mine
      ? { command: 'take', icon: 'undo', label: 'Release case', key: 'a' }
      : { command: 'take', icon: 'user', label: 'Take case', key: 'a' },
    { command: 'assign', icon: 'user', label: 'Assign case…', key: 'A' },
    { command: 'star', icon: 'star', label: done?.starred ? 'Unstar' : 'Star', key: 's' },
    done?.closed
      ? { command: 'close', icon: 'undo', label: 'Reopen case', key: 'c' }
      : { command: 'close', icon: 'ban', label: 'Close case', key: 'c' },
    { command: 'note', icon: 'note', label: 'Add a comment', key: 'n' },
  ]
}

/** The same for the palette. `meant`: what it is done to, in Lantern's words or by a third party's name. */
export function triageActs(
  done: Done | undefined,
  meant: string | { subject: string },
  onCommand: (command: TriageCommand) => void,
): PageAct[] {
  return triageChoices(done).map(({ command, icon, label }) => ({
    ...(typeof meant === 'string' ? { label: `${label}: ${meant}` } : { label, ...meant }),
    icon,
    words: 'triage',
    run: () => onCommand(command),
  }))
}

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
