import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Command, CommandGroup } from './command.ts'

type CommandListProps = {
  id: string
  groups: readonly CommandGroup[]
  /** The index of the one that Enter runs. */
  active: number
  optionId(index: number): string
  onRun(command: Command): void
  onPoint(command: Command): void
}

/** The focus stays in the field above, which announces the active one. */
export function CommandList({ id, groups, active, optionId, onRun, onPoint }: CommandListProps) {
  const starts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, { commands }) => sum + commands.length, 0),
  )
  return (
    <div id={id} role="listbox" aria-label="Results" className="max-h-[min(28rem,60dvh)] overflow-auto p-1.5">
      {groups.map(({ title, commands }, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden="true" className="px-2 pt-2 pb-1 font-medium text-2xs text-faint">
            {title}
          </p>
          {commands.map((command, offset) => {
            const index = (starts[at] ?? 0) + offset
            return (
              <Option
                key={command.id}
                id={optionId(index)}
                command={command}
                isActive={index === active}
                onRun={() => onRun(command)}
                onPoint={() => onPoint(command)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; command: Command; isActive: boolean; onRun(): void; onPoint(): void }

function Option({
  id,
  command: { label, subject, icon, detail, isUntrusted },
  isActive,
  onRun,
  onPoint,
}: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field with the focus has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, by aria-activedescendant
    <div
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      aria-selected={isActive}
      onClick={onRun}
      onMouseMove={isActive ? undefined : onPoint}
      className="flex h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 aria-selected:bg-pressed max-sm:h-11"
    >
      <Icon name={icon} className="size-4 text-muted" />
      <span className="min-w-0 flex-1 truncate">
        {isUntrusted ? <Untrusted text={label} maxLength={160} clip="silent" isProse /> : label}
        {subject !== undefined && (
          <>
            {' '}
            “<Untrusted text={subject} maxLength={160} clip="silent" isProse />”
          </>
        )}
      </span>
      {detail && <span className="shrink-0 text-faint text-xs">{detail}</span>}
    </div>
  )
}

function keepInView(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}
