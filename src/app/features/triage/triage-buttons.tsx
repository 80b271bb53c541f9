import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { TriageCommand } from './triage-command.ts'

type TriageButtonsProps = {
  /** What has been done so far; undefined for nothing. */
  state: TriageState | undefined
  /** With words, where there is room. */
  isLabelled?: boolean
  onCommand(command: TriageCommand): void
}

/** What can be done with one threat. The keys are those of the feed. */
export function TriageButtons({ state, isLabelled = false, onCommand }: TriageButtonsProps) {
  const isRead = Boolean(state?.read)
  const isStarred = Boolean(state?.starred)
  const isDismissed = Boolean(state?.dismissed)
  const buttons = [
    {
      command: 'read',
      icon: isRead ? 'mail' : 'mail-open',
      label: isRead ? 'Mark as unread' : 'Mark as read',
      key: 'r',
    },
    { command: 'star', icon: 'star', label: isStarred ? 'Unstar' : 'Star', key: 's' },
    {
      command: 'dismiss',
      icon: isDismissed ? 'undo' : 'ban',
      label: isDismissed ? 'Restore' : 'Dismiss',
      key: 'd',
    },
    { command: 'note', icon: 'note', label: 'Add a note', key: 'n' },
  ] as const
  return buttons.map(({ command, icon, label, key }) => {
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
