import type { Message } from '../message.ts'
import { fitSpace } from './fit-space.ts'
import { createMessageModel, type MessageModel, type ModelThreat } from './message-model.ts'

/** chat.postMessage has refused about 13,200 characters over all blocks; all of ours, markup included, stay below. */
const MAX_LENGTH = 9_500

type Run =
  | { type: 'text'; text: string; style?: { bold: true } }
  | { type: 'link'; url: string; text: string; style?: { bold: true } }

/**
 * The body for an incoming webhook of Slack. Untrusted text stands in text elements of rich_text blocks, where neither
 * mrkdwn, mentions nor addresses are looked for; `text` is what notifications show.
 */
export function writeSlack(message: Message): string {
  return fitSpace(
    (space) => JSON.stringify(toSlackBody(createMessageModel(message, space))),
    (body) => body.length <= MAX_LENGTH,
  )
}

export function toSlackBody({ subject, heading, causes, paragraphs, threats, more, link }: MessageModel) {
  const because = causes === null ? [] : [[text(`Because of ${causes}`)]]
  const top = heading === null ? [] : [[bold(heading)], ...because, ...paragraphs.map((line) => [text(line)])]
  const end = [...(more === null ? [] : [text(`And ${more}. `)]), linkTo(link.url, link.label)]
  return {
    text: escapeMrkdwn(subject),
    blocks: [
      ...(top.length === 0 ? [] : [richText(top)]),
      ...threats.map((threat) => richText([...linesOf(threat), ...(heading === null ? because : [])])),
      { type: 'divider' as const },
      richText([end]),
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

function linesOf({ section, severity, title, link, matched, facts }: ModelThreat): Run[][] {
  return [
    ...(section === null ? [] : [[bold(section)]]),
    [...(severity === null ? [] : [bold(`${severity}  `)]), linkTo(link, title, true)],
    ...(matched === null ? [] : [[text('Matched: '), text(matched)]]),
    ...(facts.length === 0
      ? []
      : [[text(facts.map(({ label, value }) => `${label}: ${value}`).join('  ·  '))]]),
  ]
}

function richText(lines: readonly (readonly Run[])[]) {
  const elements = lines.flatMap((runs, at): Run[] => (at === 0 ? [...runs] : [text('\n'), ...runs]))
  return { type: 'rich_text' as const, elements: [{ type: 'rich_text_section' as const, elements }] }
}

function text(text: string): Run {
  return { type: 'text', text }
}

function bold(text: string): Run {
  return { type: 'text', text, style: { bold: true } }
}

function linkTo(url: string, text: string, isBold = false): Run {
  return { type: 'link', url, text, ...(isBold && { style: { bold: true } }) }
}

/** Slack's three control characters, and the mentions that some clients find in plain words. */
function escapeMrkdwn(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=[\p{L}\p{N}_])/gu, '@\u2060')
}
