import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { modalEvents, useModal } from '#app/ui/dialog.tsx'
import { ListOption } from '#app/ui/floating-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { changePreferences } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { type Command, type CommandGroup, rememberRecent } from './command.ts'
import { useCommands } from './use-commands.ts'

type PaletteDialogProps = {
  isOpen: boolean
  /** Initial text of the search. */
  typed: string
  onClose(): void
  onKeys(): void
}

export function PaletteDialog({ isOpen, onClose, ...rest }: PaletteDialogProps) {
  const dialog = useModal(isOpen, 'input')
  const closeFromBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the browser's own key for this
    <dialog
      ref={dialog}
      aria-label="Go to…"
      {...modalEvents(onClose)}
      onClick={closeFromBackdrop}
      className="mx-auto mt-[12dvh] mb-auto w-[min(40rem,94vw)] max-w-none overflow-hidden rounded-xl border border-line bg-raised p-0 text-sm shadow-floating max-sm:mt-2"
    >
      {isOpen && <CommandSearch {...rest} onClose={onClose} />}
    </dialog>
  )
}

function CommandSearch({ typed, onClose, onKeys }: Omit<PaletteDialogProps, 'isOpen'>) {
  const listId = useId()
  const router = useRouter()
  const [text, setText] = useState(typed)
  // An id and not a position: results that arrive later may stand before it. Null means the first.
  const [active, setActive] = useState<string | null>(null)
  const { groups, isSearching } = useCommands(text)
  const commands = groups.flatMap((group) => group.commands)
  const current = Math.max(
    0,
    commands.findIndex(({ id }) => id === active),
  )
  const optionId = (index: number) => `${listId}-${index}`

  const run = (command: Command) => {
    const { act } = command
    rememberRecent(command)
    onClose()
    if ('theme' in act) changePreferences({ theme: act.theme })
    else if ('shows' in act) onKeys()
    else if ('run' in act) act.run()
    else router.navigate({ href: act.href })
  }
  const steer = (event: KeyboardEvent) => {
    // An Enter that chooses among an input method's suggestions is not ours.
    if (event.nativeEvent.isComposing) return
    const command = commands.at(current)
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key]
    if (event.key === 'Enter') command && run(command)
    else if (next === undefined) return
    else setActive(commands.at(next % Math.max(1, commands.length))?.id ?? null)
    event.preventDefault()
  }

  return (
    <>
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Icon name="search" className="size-4 text-faint" />
        <input
          type="text"
          role="combobox"
          aria-label="Page, actor, country, threat or filter"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={commands.length > 0 ? optionId(current) : undefined}
          placeholder="Page, actor, country, threat, or country: de severity: high…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={steer}
          onChange={(event) => {
            setText(event.target.value)
            setActive(null)
          }}
          className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none max-sm:text-lg"
        />
        <span
          aria-hidden="true"
          className={`size-3.5 animate-spin rounded-full border-2 border-faint border-t-transparent ${isSearching ? '' : 'invisible'}`}
        />
      </div>
      <CommandList
        id={listId}
        groups={groups}
        active={current}
        optionId={optionId}
        onRun={run}
        onPoint={({ id }) => setActive(id)}
      />
      {commands.length === 0 && <p className="px-4 pt-2 pb-8 text-center text-muted">No results</p>}
      <VisuallyHidden role="status">
        {text !== '' && !isSearching && countOf(commands.length, 'result')}
      </VisuallyHidden>
    </>
  )
}

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
function CommandList({ id, groups, active, optionId, onRun, onPoint }: CommandListProps) {
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
    <ListOption id={id} isActive={isActive} onPress={onRun} onPoint={isActive ? undefined : onPoint}>
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
    </ListOption>
  )
}
