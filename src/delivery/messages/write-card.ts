import type { Message } from '../message.ts'
import { fitSpace } from './fit-space.ts'
import { createMessageModel, type MessageModel, type ModelThreat } from './message-model.ts'

/** Teams counts 28 KB after it has expanded a card, which can add a fifth. */
const MAX_BYTES = 18 * 1024

/**
 * The body for a Teams workflow: an Adaptive Card 1.4 in a message's envelope. Untrusted text stands in TextRuns, which
 * know no Markdown.
 */
export function writeCard(message: Message): string {
  return fitSpace(
    (space) => JSON.stringify(toEnvelope(createMessageModel(message, space))),
    (body) => Buffer.byteLength(body) <= MAX_BYTES,
  )
}

function toEnvelope(model: MessageModel) {
  return {
    type: 'message',
    summary: model.subject,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: toCard(model),
      },
    ],
  }
}

function toCard({ heading, causes, paragraphs, threats, more, link }: MessageModel) {
  const because = causes === null ? [] : [lineOf([run(`Because of ${causes}`)], 'None')]
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      ...(heading === null ? [] : [lineOf([run(heading, { size: 'Medium', weight: 'Bolder' })]), ...because]),
      ...paragraphs.map((paragraph) => lineOf([run(paragraph)])),
      ...threats.flatMap(linesOf),
      ...(heading === null ? because : []),
      ...(more === null ? [] : [lineOf([run(`And ${more}.`)], 'Medium')]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
  }
}

function linesOf({ section, severity, isCritical, title, link, matched, facts }: ModelThreat) {
  const color = isCritical ? { color: 'Attention' } : {}
  return [
    ...(section === null ? [] : [lineOf([run(section, { size: 'Medium', weight: 'Bolder' })], 'Medium')]),
    lineOf(
      [
        ...(severity === null ? [] : [run(`${severity}  `, { weight: 'Bolder', ...color })]),
        run(title, { weight: 'Bolder', selectAction: { type: 'Action.OpenUrl', url: link } }),
      ],
      'Medium',
    ),
    ...(matched === null ? [] : [lineOf([run(`Matched: ${matched}`)], 'None')]),
    ...(facts.length === 0
      ? []
      : [
          lineOf(
            facts.flatMap(({ label, value }, at) => [
              run(`${at === 0 ? '' : '  ·  '}${label}: `, { isSubtle: true }),
              run(value),
            ]),
            'None',
          ),
        ]),
  ]
}

function lineOf(inlines: readonly object[], spacing = 'Default') {
  return { type: 'RichTextBlock', spacing, inlines }
}

/** `{{DATE(…)}}` and the like are replaced by Teams, in any text. */
function run(text: string, style: object = {}) {
  return { type: 'TextRun', text: text.replace(/\{(?=\{)/g, '{ '), ...style }
}
