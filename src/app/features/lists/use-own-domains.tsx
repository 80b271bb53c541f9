import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { CONTROL, Field } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import type { NameList } from '#contract/bff/list.ts'
import { cleanText, entryCollector, noEntries, type ReadEntries } from './collect-entries.ts'
import { EntriesNotes } from './entries-field.tsx'
import { findOwnList, listMutations, listsOptions } from './list-options.ts'
import { KIND_LABELS } from './list-words.ts'
import { type EntriesInput, useEntries } from './use-entries.ts'

const REST_MS = 700

/** Domains of one's own organisation, which make a list of that kind or are added to it. Null for people who make no lists. */
export function useOwnDomains() {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionOptions())
  const role = session?.user.role
  const canMake = role === 'analyst' || role === 'admin'
  const { data: listed } = useQuery({ ...listsOptions(), enabled: canMake })
  const { create, addEntries } = listMutations(queryClient)
  const creation = useMutation(create)
  const addition = useMutation(addEntries)
  const input = useEntries(readDomains)
  const { entries } = input.read

  /** A list that this person may change. */
  const findChangeable = (lists: readonly NameList[]) => {
    const own = findOwnList(lists)
    return own && (own.owner.isMe || role === 'admin') ? own : undefined
  }
  const own = listed && findChangeable(listed.lists)

  async function save() {
    if (entries.length === 0) return
    // Another tab, or a try that failed later, may have made the list.
    const { lists } = await queryClient.query({ ...listsOptions(), staleTime: 0 })
    const list = findChangeable(lists)
    const onError = input.showRefused
    if (list) await addition.mutateAsync({ id: list.id, entries }, { onError })
    else
      await creation.mutateAsync({ name: KIND_LABELS.own, kind: 'own', isShared: true, entries }, { onError })
  }

  if (!canMake) return null
  return {
    field: <OwnDomainsField input={input} own={own} />,
    hasFault: hasFault(input),
    isEmpty: entries.length === 0 && !own?.entryCount,
    save,
  }
}

function hasFault({ text, fault }: EntriesInput): boolean {
  return text.trim() !== '' && fault !== null
}

/**
 * Faults are shown when typing rests, as half a domain is none. Not when the field is left: they would move the button
 * that is being pressed.
 */
function OwnDomainsField({ input, own }: { input: EntriesInput; own: NameList | undefined }) {
  const isResting = useDebouncedValue(input.text, REST_MS) === input.text
  return (
    <div className="grid gap-3">
      <Field
        label="Domains"
        error={isResting && hasFault(input) ? input.fault : undefined}
        hint={
          <>
            One a line, such as “okapi.example”. They{' '}
            {own ? 'are added to your list' : 'become a list that your team sees'}:{' '}
            <Untrusted text={own?.name ?? KIND_LABELS.own} maxLength={80} clip="silent" />
            {own && `, ${countOf(own.entryCount, 'entry', 'entries')}`}.
          </>
        }
      >
        {(control) => (
          <textarea
            {...control}
            name="domains"
            rows={4}
            spellCheck={false}
            autoCapitalize="none"
            className={`${CONTROL} h-auto py-1.5 font-mono max-sm:h-auto`}
            value={input.text}
            onChange={(event) => input.type(event.target.value)}
          />
        )}
      </Field>
      {isResting && <EntriesNotes input={input} />}
    </div>
  )
}

/** Reads domains that somebody typed or pasted, one a line or several. Each is an entry, named by itself. */
function readDomains(text: string): ReadEntries {
  const read = noEntries()
  const collect = entryCollector(read)
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = line
      .split(/[\s,;]+/)
      .map(cleanText)
      .filter(Boolean)
    for (const part of parts) collect({ line: at + 1, whole: part, name: '', domains: [part] })
  }
  return read
}
