import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { BulkButtons } from '#app/features/triage/list-triage.tsx'
import type { TriageCommand } from '#app/features/triage/triage-command.ts'
import { countOf } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { exactTime } from '#app/format/time.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { useCopy } from '#app/ui/copy-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import { defang } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { SELECTED_MAX_COUNT } from '../address/threat-search.ts'
import { findKnownThreats } from '../find-known-threats.ts'
import { reloadThreatLists } from '../threat-options.ts'

const JoinDialog = lazy(async () => ({ default: (await import('./join-dialog.tsx')).JoinDialog }))

type SelectionBarProps = {
  /** Ids of the selected threats, at least one. */
  ids: readonly string[]
  /** Each row of the list is one. */
  noun: 'case' | 'claim'
  onClear(): void
  /** Undefined for readers who may do nothing. */
  onCommand: ((command: TriageCommand) => void) | undefined
}

const COPY_WORDS = { idle: 'Copy defanged list', copied: 'Copied', failed: 'Could not copy' } as const

/** Floats over the foot of the list while anything is selected. */
export function SelectionBar({ ids, noun, onClear, onCommand }: SelectionBarProps) {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const { state, copy } = useCopy()
  const copyList = () => copy(describeThreats(ids, findKnownThreats(queryClient, ids), timeZone))
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-floating"
    >
      <span role="status" className="mr-2 font-medium tabular-nums">
        {countOf(ids.length, noun)} selected
        {ids.length >= SELECTED_MAX_COUNT && <span className="text-muted"> · the most at once</span>}
      </span>
      {onCommand && (
        <>
          <BulkButtons ids={ids} noun={noun} onCommand={onCommand} />
          <JoinCases ids={ids} noun={noun} onJoined={onClear} />
        </>
      )}
      <Button size="small" icon={state === 'copied' ? 'check' : 'copy'} onClick={copyList}>
        {COPY_WORDS[state]}
      </Button>
      <VisuallyHidden role="status">{state !== 'idle' && COPY_WORDS[state]}</VisuallyHidden>
      <Button variant="quiet" size="small" onClick={onClear}>
        <span>
          Clear <span className="max-sm:sr-only">selection</span>
        </span>
      </Button>
    </section>
  )
}

/** Threats as lines of plain text for a chat or a ticket: nothing in them is a link, or acts unseen. */
export function describeThreats(
  ids: readonly string[],
  known: ReadonlyMap<string, Threat>,
  timeZone: string,
): string {
  return ids
    .map((id) => {
      const threat = known.get(id)
      return threat ? describeThreat(threat, timeZone) : `- Threat ${id}, not loaded in this list`
    })
    .join('\n')
}

function describeThreat(threat: Threat, timeZone: string): string {
  const { title, id, severity, category, actors, organizations, domains, countries, publishedAt } = threat
  const facts = [
    title ?? `Untitled threat ${id}`,
    severity ? `severity ${severity}` : null,
    category,
    actors.length > 0 ? `by ${actors.join(', ')}` : null,
    organizations.length > 0 ? `against ${organizations.join(', ')}` : null,
    ...domains,
    ...countries.map(({ code, name }) => (code ? countryName(code) : name)),
  ]
  const safe = facts.flatMap((fact) => (fact ? visibleLine(defangWords(fact)) : []))
  return `- ${[...safe, exactTime(publishedAt, timeZone)].join(' · ')}`
}

/** Leaves the full stops of sentences alone. */
function defangWords(text: string): string {
  return text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? defang(word) : word))
}

const ADDRESS = /[^.][.\u3002\uff0e\uff61][^.]|[@:]/u

type JoinCasesProps = {
  /** Ids of the selected threats. */
  ids: readonly string[]
  /** Each row of the list is one. */
  noun: 'case' | 'claim'
  /** The cases were joined, and the dialog is closed. */
  onJoined(): void
}

/** Offers to join the cases of two or more selected threats. */
function JoinCases({ ids, noun, onJoined }: JoinCasesProps) {
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const isOffered = ids.length > 1
  const open = () => setIsOpen(true)
  usePageActs(() =>
    isOffered
      ? [
          {
            label: `Same victim…: ${countOf(ids.length, `selected ${noun}`)}`,
            icon: 'copy',
            words: 'triage join cases',
            run: open,
          },
        ]
      : [],
  )
  const close = (isJoined: boolean) => {
    setIsOpen(false)
    if (!isJoined) return
    onJoined()
    // The rows are one now.
    reloadThreatLists(queryClient)
  }
  return (
    <>
      {isOffered && (
        <Menu
          label="More actions"
          align="end"
          renderTrigger={(props) => (
            <IconButton icon="more" label="More actions" className="size-7 max-sm:size-11" {...props} />
          )}
        >
          <MenuItem icon="copy" onSelect={open}>
            Same victim…
          </MenuItem>
        </Menu>
      )}
      {isOpen && (
        <Suspense>
          <JoinDialog ids={ids} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
