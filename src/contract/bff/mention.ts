import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import type { TextRange } from '../visible-text.ts'

/** The most people that one comment can mention. */
export const MENTIONS_MAX_COUNT = 50

/**
 * A person whom a comment mentions: the `@` and the name behind it, from `start` to before `end`, in UTF-16 units of the
 * trimmed text. The account says who is meant, and the text only what the name was.
 */
export const mentionSchema = z.strictObject({
  /** As the database writes it: whoever is erased is found by it. */
  accountId: idSchema.check(z.toLowerCase()),
  start: z.int().check(z.nonnegative()),
  end: z.int().check(z.nonnegative()),
})
export type Mention = z.infer<typeof mentionSchema>

/** A mention with the present name of its account, which is untrusted: people choose their names. */
export const namedMentionSchema = z.object({ start: z.int(), end: z.int(), name: z.string() })
export type NamedMention = z.infer<typeof namedMentionSchema>

/** True if each mention is an `@` and a name in the text, and they are in order and apart. */
export function areMentionsOf(text: string, mentions: readonly TextRange[]): boolean {
  return mentions.every(
    ({ start, end }, at) =>
      start >= (mentions[at - 1]?.end ?? 0) && end > start + 1 && end <= text.length && text[start] === '@',
  )
}

/** Puts each name in the place of its mention. Returns the text and the ranges of the mentions in it. */
export function writeMentions(
  text: string,
  mentions: readonly NamedMention[],
): { text: string; ranges: TextRange[] } {
  const ranges: TextRange[] = []
  let written = ''
  let from = 0
  for (const { start, end, name } of mentions) {
    written += text.slice(from, start)
    ranges.push({ start: written.length, end: written.length + 1 + name.length })
    written += `@${name}`
    from = end
  }
  return { text: written + text.slice(from), ranges }
}
