import type { BuilderDraft } from './builder-draft.ts'
import type { SearchWords } from './use-search-words.ts'

/** Where a profile runs, and why, as a sentence. */
export type Home = {
  runsIn: 'vendor' | 'lantern'
  sentence: string
  /** Whether its author may choose the other. */
  canChoose: boolean
}

const IN_LANTERN = 'Runs in Lantern'

/**
 * A profile that the vendor's account can hold runs there, unless its author wants it in Lantern. `refusal` is why that
 * account holds none.
 */
export function chooseHome(
  draft: BuilderDraft,
  { refusal, words }: { refusal: string | null; words: SearchWords | null },
): Home {
  const lack = findLack(draft, words)
  if (refusal !== null) return inLantern(`${IN_LANTERN}: ${refusal}`)
  if (lack !== null) return inLantern(`${IN_LANTERN}: a profile in the vendor’s account ${lack}.`)
  if (draft.isForLantern) return { ...inLantern(`${IN_LANTERN}, as you chose.`), canChoose: true }
  return {
    runsIn: 'vendor',
    sentence: 'Runs in the vendor’s account, which sends its messages.',
    canChoose: true,
  }
}

function inLantern(sentence: string): Home {
  return { runsIn: 'lantern', sentence, canChoose: false }
}

/** What of a draft the vendor's account cannot hold, after “it”. */
function findLack(draft: BuilderDraft, words: SearchWords | null): string | null {
  const simple = draft.mode === 'search' ? words?.toSimple(draft.filter) : null
  if (simple && 'lack' in simple) return simple.lack
  if (draft.userIds.length > 0) return 'cannot notify users of Lantern'
  return draft.webhook.trim() === '' ? null : 'has no signed webhooks'
}
