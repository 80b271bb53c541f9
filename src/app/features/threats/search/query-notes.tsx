import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { QueryFault, QueryHint } from '#matcher/query/query-tree.ts'

type NoteProps<Note> = { text: string; onMend(note: Note): void }

/** Number of characters of context before and after a position. */
const AROUND = 40

/** A meaningless part of the search: its position, the reason and a proposed replacement. */
export function QueryFaultNote({
  id,
  text,
  fault,
  onMend,
}: NoteProps<QueryFault> & { id: string; fault: QueryFault }) {
  const { message, fix } = fault
  return (
    <Row
      button={fix !== undefined && <Mend label={mending(text, fault, fix)} onPress={() => onMend(fault)} />}
    >
      <span id={id} className="min-w-0 text-critical">
        <Icon name="alert" className="mr-1 inline size-3.5 align-[-0.15em]" />
        {message}
      </span>
      <Place text={text} place={fault} />
    </Row>
  )
}

/** How the text was read, where it could have been meant otherwise. */
export function QueryHintNote({ text, hint, onMend }: NoteProps<QueryHint> & { hint: QueryHint }) {
  const { message, fix, choices = fix === undefined ? [] : [fix] } = hint
  return (
    <Row
      button={choices.map((choice) => (
        <Mend key={choice} label={labelOf(hint, choice)} onPress={() => onMend({ ...hint, fix: choice })} />
      ))}
    >
      <span className="min-w-0 text-muted max-sm:flex-[1_1_11rem]">{message}</span>
      {(hint.kind === 'unused' || hint.kind === 'sign') && <Place text={text} place={hint} />}
    </Row>
  )
}

function labelOf({ kind }: QueryHint, fix: string): string {
  if (kind === 'operator') return 'Search for the word'
  if (kind === 'open') return 'Close it'
  if (fix === '') return 'Remove it'
  return kind === 'name' ? `Write ${fix}:` : `Write ${fix}`
}

function mending(text: string, { from, to }: QueryFault, fix: string): string {
  const place = text.slice(from, to).trim()
  if (fix === '') return place === '' ? 'Close the gap' : 'Remove it'
  return fix === `${place})` ? 'Close it' : `Write ${fix}`
}

function Row({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      {children}
      {button}
    </div>
  )
}

function Mend({ label, onPress }: { label: string; onPress(): void }) {
  return (
    <Button size="small" className="max-w-full max-sm:h-11" onClick={onPress}>
      <span className="min-w-0 truncate">
        <Untrusted text={label} maxLength={80} clip="silent" isRaw />
      </span>
    </Button>
  )
}

/** The text around a place, which is marked in it; an empty place by a caret. */
function Place({ text, place: { from, to } }: { text: string; place: { from: number; to: number } }) {
  const [start, end] = [Math.max(0, from - AROUND), Math.min(text.length, to + AROUND)]
  const piece = (at: number, until: number) => {
    const part = text.slice(at, until)
    return part.trim() === '' ? part : <Untrusted text={part} maxLength={240} clip="silent" isRaw />
  }
  return (
    <code className="min-w-0 max-w-full whitespace-pre-wrap rounded-sm bg-hover px-1.5 pt-0.5 pb-1 font-mono wrap-anywhere">
      {start > 0 && '…'}
      {piece(start, from)}
      {text.slice(from, to).trim() === '' ? (
        <span aria-hidden="true" className="font-semibold text-critical">
          ‸
        </span>
      ) : (
        <span className="underline decoration-2 decoration-critical decoration-wavy underline-offset-3">
          {piece(from, to)}
        </span>
      )}
      {piece(Math.max(from, to), end)}
      {end < text.length && '…'}
    </code>
  )
}
