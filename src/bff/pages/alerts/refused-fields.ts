import { ProblemError } from '#bff/http/problem-error.ts'
import type { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { AlertDraft } from '#contract/bff/alert.ts'
import { maskAddresses } from '#contract/bff/mask-address.ts'
import type { Problem } from '#contract/bff/problem.ts'

/** A vendor may use these words for our fields, the more exact words first. */
const FIELD_WORDS: readonly (readonly [name: string, words: RegExp])[] = [
  ['keywords', /\bkeywords?\b(?:\W{0,3}(\d{1,3}))?/i],
  ['email', /\be-?mails?\b(?:\W{0,3}(\d{1,3}))?/i],
  ['slack', /\bslack/i],
  ['teams', /\bteams\b/i],
  ['categories', /\bcategor(?:y|ies)\b/i],
  ['name', /\bname\b/i],
]

/** That the vendor took no profile of this draft, at the fields that it names. */
export function toRefusal(error: UpstreamError, draft: AlertDraft): ProblemError {
  const words = maskWords(error.words ?? 'It did not say why.', draft)
  const fields = refusedFields(words, draft)
  return new ProblemError({
    code: 'alert_refused',
    detail: fields.length > 0 ? 'Correct the fields named here.' : `The vendor says: ${words}`,
    set: 'earlier',
    fields,
    cause: error,
  })
}

/** The vendor's words at the fields that they are about, without the draft's addresses; none where they name none. */
function refusedFields(words: string, draft: AlertDraft): NonNullable<Problem['fields']> {
  const reason = maskWords(words, draft)
  // Each field takes one sentence, because a sentence may mention the values of another field.
  const sentences = reason.split(/(?<=[.;])\s+(?=\p{Lu})/u)
  return sentences.flatMap((sentence) => {
    const [first] = FIELD_WORDS.flatMap(([name, pattern]) => {
      const found = pattern.exec(sentence)
      return found ? [{ at: found.index, name: memberName(draft, name, found[1]) }] : []
    }).sort((one, other) => one.at - other.at)
    return first ? [{ name: first.name, reason: sentence }] : []
  })
}

function maskWords(words: string, { email, slack, teams }: AlertDraft): string {
  return maskAddresses(words, [...email, slack ?? '', teams ?? ''])
}

/** `keywords.2` where the words name a position that the draft has. */
function memberName(draft: AlertDraft, name: string, index: string | undefined): string {
  const list = name === 'keywords' ? draft.keywords : draft.email
  return index !== undefined && Number(index) < list.length ? `${name}.${Number(index)}` : name
}
