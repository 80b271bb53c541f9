import { type Mention, TRIAGE_TEXT_MAX_LENGTH } from '#contract/bff/triage.ts'
import { foldValue } from '#matcher/normalise-text.ts'

/** A comment that is being written. Its mentions are in the order of the text. */
export type CommentDraft = { text: string; mentions: readonly Mention[] }

export const EMPTY_COMMENT: CommentDraft = { text: '', mentions: [] }

export type Person = { id: string; name: string; email: string | null }

/** The longest name of a user. */
const NAME_MAX_LENGTH = 100
const OFFERED_MAX_COUNT = 8
/** An email address has such a character before its @. */
const PART_OF_ADDRESS = /[\p{L}\p{N}_.+-]$/u

/** The beginning of a name behind an `@` at `start`. */
export type BegunMention = { start: number; typed: string }

/** Returns the mention that is being typed at the caret; null elsewhere, and in addresses such as `a@b.example`. */
export function findBegunMention({ text, mentions }: CommentDraft, caret: number): BegunMention | null {
  const start = caret === 0 ? -1 : text.lastIndexOf('@', caret - 1)
  const typed = text.slice(start + 1, caret)
  const isMade = mentions.some((mention) => mention.start === start)
  if (start < 0 || isMade || typed.length > NAME_MAX_LENGTH || /^\s|\n/.test(typed)) return null
  return PART_OF_ADDRESS.test(text.slice(0, start)) ? null : { start, typed }
}

/** Returns the people with a word in their name, or in the address of like names, that begins as typed. */
export function findPeople(people: readonly Person[], typed: string): Person[] {
  const wanted = ` ${foldValue(typed)}`
  return people
    .filter(({ name, email }) => [name, email ?? ''].some((text) => ` ${foldValue(text)}`.includes(wanted)))
    .slice(0, OFFERED_MAX_COUNT)
}

/**
 * Replaces the text of a draft by what it is after an edit. Mentions behind the edit move with their names; one whose name
 * was changed is a mention no longer. `caret`: where the edit has left it, the end of what is new.
 */
export function editDraft(
  { text: before, mentions }: CommentDraft,
  after: string,
  caret: number,
): CommentDraft {
  const behind = after.slice(caret)
  const suffix = before.endsWith(behind) ? behind.length : sharedEnd(before, after)
  const longest = Math.min(before.length, after.length) - suffix
  let from = 0
  while (from < longest && before[from] === after[from]) from += 1
  const to = before.length - suffix
  const shift = after.length - before.length
  return {
    text: after,
    mentions: mentions.flatMap((mention) => {
      if (mention.end <= from) return [mention]
      if (mention.start < to) return []
      return [{ ...mention, start: mention.start + shift, end: mention.end + shift }]
    }),
  }
}

function sharedEnd(one: string, other: string): number {
  const longest = Math.min(one.length, other.length)
  let length = 0
  while (length < longest && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}

/** Puts a person's name in the place of a begun mention. Returns the draft and the caret behind the name; null if it gets too long. */
export function addMention(
  draft: CommentDraft,
  { start, typed }: BegunMention,
  { id, name }: Person,
): { draft: CommentDraft; caret: number } | null {
  const written = `@${name}`
  const end = start + written.length
  const rest = draft.text.slice(start + 1 + typed.length)
  const space = /^\s/.test(rest) ? '' : ' '
  const text = draft.text.slice(0, start) + written + space + rest
  if (text.length > TRIAGE_TEXT_MAX_LENGTH) return null
  const { mentions } = editDraft(draft, text, end + space.length)
  const added = [...mentions, { accountId: id, start, end }]
  return {
    draft: { text, mentions: added.toSorted((one, other) => one.start - other.start) },
    caret: end + 1,
  }
}

/** The comment as it is sent: without space around it. */
export function trimDraft({ text, mentions }: CommentDraft): CommentDraft {
  const before = text.length - text.trimStart().length
  return {
    text: text.trim(),
    mentions: mentions.map((mention) => ({
      ...mention,
      start: mention.start - before,
      end: mention.end - before,
    })),
  }
}
