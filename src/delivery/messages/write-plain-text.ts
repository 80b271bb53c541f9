import type { Footer, MessageModel, ModelThreat } from './message-model.ts'

const COLUMNS = 72
const INDENT = '   '
const WIDE =
  /^(?:\p{Extended_Pictographic}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60])/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A message for readers of plain text: lines of 72 columns, and no address but our own. */
export function writePlainText(model: MessageModel, footer: Footer): string {
  const { heading, causes, paragraphs, threats, more, link } = model
  const because = causes === null ? [] : wrap(`Because of ${causes}`)
  const parts = [
    ...(heading === null ? [] : [[...wrap(heading), ...because]]),
    ...paragraphs.map((paragraph) => wrap(paragraph)),
    ...threats.flatMap((threat, at) => [
      ...(threat.section === null ? [] : [wrap(threat.section)]),
      threatLines(threat, threats.length > 1 ? `${at + 1}. ` : ''),
    ]),
    ...(heading === null ? [because] : []),
    ...(more === null ? [] : [[`And ${more}.`]]),
    [`${link.label}:`, link.url],
    [
      '-- ',
      ...footer.lines.flatMap((line) => wrap(line)),
      ...(footer.stopUrl ? ['Stop these messages:', footer.stopUrl] : []),
    ],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function threatLines({ severity, title, link, matched, facts }: ModelThreat, number: string): string[] {
  const indent = number === '' ? '' : INDENT
  const lines = [
    ...(matched === null ? [] : [`Matched: ${matched}`]),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
  ]
  return [
    ...wrap(`${number}${severity === null ? '' : `[${severity}] `}${title}`, indent),
    ...lines.flatMap((line) =>
      wrap(line, indent).map((wrapped, at) => (at === 0 ? indent + wrapped : wrapped)),
    ),
    // A threat on its own needs no link: the one at the end leads to it.
    ...(number === '' ? [] : [indent + link]),
  ]
}

/** Lines of a text, all but the first behind an indent, as long as that fits them. */
function wrap(text: string, indent = ''): string[] {
  const room = COLUMNS - indent.length
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of text.split(' ').flatMap((word) => breakWord(word, room))) {
    const width = columnsOf(piece)
    if (used > 0 && used + 1 + width > room) {
      lines.push(line)
      line = piece
      used = width
    } else {
      line = used === 0 ? piece : `${line} ${piece}`
      used += (used === 0 ? 0 : 1) + width
    }
  }
  return [...lines, line].map((wrapped, at) => (at === 0 ? wrapped : indent + wrapped))
}

function breakWord(word: string, room: number): string[] {
  if (columnsOf(word) <= room) return [word]
  const pieces = ['']
  for (const { segment } of graphemes.segment(word)) {
    const last = pieces.at(-1) ?? ''
    if (columnsOf(last + segment) > room) pieces.push(segment)
    else pieces[pieces.length - 1] = last + segment
  }
  return pieces
}

function columnsOf(text: string): number {
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}
