import type { BuilderDraft } from './builder-draft.ts'
import type { SearchWords } from './use-search-words.ts'

/** Place where a profile runs, with the reason as a sentence. */
export type Home = {
  runsIn: 'vendor' | 'lantern'
  sentence: string
  /** Label of the button that chooses the other place; null where there is no choice. */
  other: string | null
}

const IN_LANTERN = 'Runs in Lantern'
const VENDOR_ACCOUNT = 'the vendor’s account'

/**
 * A profile that the vendor's account can hold runs there, unless its author wants it in Lantern. `refusal` is why that
 * account holds none.
 */
export function chooseHome(
  draft: BuilderDraft,
  {
    refusal,
    words,
    isOwnService = false,
  }: { refusal: string | null; words: SearchWords | null; isOwnService?: boolean },
): Home {
  const lack = findLack(draft, words)
  const inLantern = (sentence: string): Home => ({ runsIn: 'lantern', sentence, other: null })
  if (refusal !== null) return inLantern(`${IN_LANTERN}: ${refusal}`)
  // Lantern sends the messages of its own service, too, so there is no other sender to name.
  if (isOwnService) return ofOwnService(draft, lack)
  if (lack !== null) return inLantern(`${IN_LANTERN}, because ${VENDOR_ACCOUNT} ${lack}.`)
  if (draft.isForLantern)
    return { ...inLantern(`${IN_LANTERN}, as you chose.`), other: `Run it in ${VENDOR_ACCOUNT} instead` }
  return {
    runsIn: 'vendor',
    sentence: `Runs in ${VENDOR_ACCOUNT}, which sends its messages.`,
    other: 'Run it in Lantern instead',
  }
}

function ofOwnService({ isForLantern }: BuilderDraft, lack: string | null): Home {
  if (lack !== null) return { runsIn: 'lantern', sentence: 'Lantern sends its messages.', other: null }
  if (isForLantern)
    return {
      runsIn: 'lantern',
      sentence: 'Lantern sends its messages. Programs that use the API do not see this profile.',
      other: 'Show in the API',
    }
  return {
    runsIn: 'vendor',
    sentence: 'Lantern sends its messages. Programs that use the API see this profile, too.',
    other: 'Hide from the API',
  }
}

/** Names the part of a draft that the vendor's account cannot hold, as a verb. */
function findLack(draft: BuilderDraft, words: SearchWords | null): string | null {
  if (draft.isShift) return 'cannot send the Shift page'
  const simple = draft.mode === 'search' ? words?.toSimple(draft.filter) : null
  if (simple && 'lack' in simple) return simple.lack
  if (draft.schedule.kind !== 'atOnce') return 'cannot send digests'
  if (draft.schedule.quiet) return 'cannot have quiet hours'
  if (draft.userIds.length > 0) return 'cannot notify users of Lantern'
  return draft.webhook.trim() === '' ? null : 'cannot use signed webhooks'
}
