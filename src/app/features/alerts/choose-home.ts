import type { BuilderDraft } from './builder-draft.ts'
import type { SearchWords } from './use-search-words.ts'

/** Place where a profile runs, with the reason as a sentence. */
export type Home = {
  runsIn: 'vendor' | 'lantern'
  sentence: string
  /** Name of the vendor's account, if the author may choose it. */
  account?: string
  /** True if the author may choose the other place. */
  canChoose: boolean
}

const IN_LANTERN = 'Runs in Lantern'
const VENDOR_ACCOUNT = 'the vendor’s account'
/** It stores profiles and sends nothing. */
const OWN_SERVICE = 'Lantern’s own service'

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
  const account = isOwnService ? OWN_SERVICE : VENDOR_ACCOUNT
  const inLantern = (sentence: string, canChoose = false): Home => ({
    runsIn: 'lantern',
    sentence,
    canChoose,
    ...(canChoose && { account }),
  })
  const lack = findLack(draft, words)
  if (refusal !== null) return inLantern(`${IN_LANTERN}: ${refusal}`)
  if (lack !== null) return inLantern(`${IN_LANTERN}: a profile in ${account} ${lack}.`)
  if (draft.isForLantern) return inLantern(`${IN_LANTERN}, as you chose.`, true)
  return {
    runsIn: 'vendor',
    sentence: isOwnService
      ? `Stored in ${account}. This dashboard sends its messages.`
      : `Runs in ${account}, which sends its messages.`,
    account,
    canChoose: true,
  }
}

/** Names the part of a draft that the vendor's account cannot hold, after “it”. */
function findLack(draft: BuilderDraft, words: SearchWords | null): string | null {
  if (draft.isShift) return 'cannot send Shift'
  const simple = draft.mode === 'search' ? words?.toSimple(draft.filter) : null
  if (simple && 'lack' in simple) return simple.lack
  if (draft.schedule.kind !== 'atOnce') return 'sends no digests'
  if (draft.schedule.quiet) return 'has no quiet hours'
  if (draft.userIds.length > 0) return 'cannot notify users of Lantern'
  return draft.webhook.trim() === '' ? null : 'has no signed webhooks'
}
