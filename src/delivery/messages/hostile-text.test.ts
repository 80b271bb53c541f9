// @vitest-environment jsdom
import type { KnownBlock } from '@slack/types'
import { AdaptiveCard, SerializationContext, Versions } from 'adaptivecards'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LIST_KINDS, MATCH_RULES } from '#contract/bff/list-match.ts'
import { defangProse } from '#contract/defang.ts'
import type { Message, NotifiedThreat } from '#delivery/message.ts'
import { aDigest, aGroup, aNotifiedThreat, aShiftDigest } from '#test/fixtures/message-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { createMessageModel } from './message-model.ts'
import { writeCard } from './write-card.ts'
import { writeEmail } from './write-email.ts'
import { toSlackBody, writeSlack } from './write-slack.ts'
import { pagesOf, writeWebhook } from './write-webhook.ts'

const MARKUP = [
  ...[
    '<!channel>',
    '<!here|x>',
    '@here',
    '@channel',
    '<@U012>',
    '<https://evil.example|Show all>',
    '&lt;!channel&gt;',
  ],
  ...[
    '[Sign in](https://evil.example)',
    '**b**',
    '```',
    '{{DATE(2026-01-01T00:00:00Z)}}',
    '<at>Ada</at>',
    '\r\n.\r\n',
  ],
  ...[
    '\r\nBcc: eve@evil.example',
    '"><img src=x onerror=alert(1)>',
    '</bdi><script>',
    '\u202e',
    '\u0000',
    '\ud800',
  ],
]
const text = fc.oneof(
  fc.constantFrom(...MARKUP, ...Object.values(NASTY_STRINGS)),
  fc
    .array(fc.oneof(fc.constantFrom(...MARKUP), fc.string({ unit: 'binary' })), { maxLength: 30 })
    .map((parts) => parts.join('')),
  fc
    .constantFrom('𝕬', '👨\u200d👩\u200d👧\u200d👦', '"', '\\', '.a', '字', '\u0007')
    .map((unit) => unit.repeat(1_000)),
)
const concern = fc.record({
  kind: fc.constantFrom(...LIST_KINDS),
  listName: text,
  entryName: text,
  certainty: fc.constantFrom('certain' as const, 'to-confirm' as const),
  rule: fc.constantFrom(...MATCH_RULES),
  text,
})
const threat: fc.Arbitrary<NotifiedThreat> = fc
  .record({
    id: text,
    title: text,
    severity: fc.option(text),
    category: fc.option(text),
    actor: fc.option(text),
    victim: fc.option(text),
    countries: fc.array(text, { maxLength: 30 }),
    publishedAt: fc.option(text),
    matchedWords: fc.array(text, { maxLength: 30 }),
    news: fc.option(text),
    caseId: fc.option(fc.constant('412')),
    concerns: fc.option(fc.array(concern, { minLength: 1, maxLength: 10 }), { nil: undefined }),
  })
  .map((hostile) =>
    aNotifiedThreat({
      ...hostile,
      // The length is the contract's maximum.
      id: hostile.id.slice(0, 512),
      link: `https://lantern.example/threats/${encodeURIComponent(hostile.id.toWellFormed()).slice(0, 1_500)}?set=v1`,
    }),
  )
const message: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        threats: fc.array(threat, { minLength: 1, maxLength: 5 }),
        names: fc.array(text, { maxLength: 40 }),
        count: fc.nat(),
      })
      .map(({ threats, names, count }) =>
        aGroup({
          threats,
          causes: names.map((name) => ({ name })),
          count: threats.length + count,
        }),
      ),
  },
  fc
    .record({ threats: fc.array(threat, { maxLength: 10 }), name: text, reason: text, count: fc.nat() })
    .map(({ threats, name, reason, count }) =>
      aDigest({
        causes: [{ id: 'p1', name, isTeam: false }],
        threats,
        concernCount: count,
        count: threats.length + count,
        undelivered: Array.from({ length: 25 }, () => ({
          destination: name,
          state: 'failed',
          count: 1,
          reason,
        })),
      }),
    ),
  fc
    .record({ subject: text, text })
    .map((content): Message => ({ kind: 'notice', ...content, link: 'https://lantern.example/' })),
  fc
    .record({ name: text, lines: fc.array(fc.record({ title: text, value: text }), { maxLength: 10 }) })
    .map(({ name, lines }): Message => aShiftDigest(name, lines)),
  text.map(
    (requestedBy): Message => ({ kind: 'test', causes: [], requestedBy, link: 'https://lantern.example/' }),
  ),
)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const columnsOf = (line: string) => [...graphemes.segment(line)].length
const runs = propertyRuns(25)
const OURS = /^https:\/\/lantern\.example\//
const isInert = (text: string) => {
  expect(text).not.toBe('')
  expect(text).toBe(text.toWellFormed())
  expect(defangProse(text)).toBe(text)
  expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b]/u)
}

const slackSchema = z.strictObject({
  text: z.string(),
  blocks: z.array(
    z.union([
      z.strictObject({ type: z.literal('divider') }),
      z.strictObject({
        type: z.literal('rich_text'),
        elements: z.array(
          z.strictObject({
            type: z.literal('rich_text_section'),
            elements: z.array(
              z.strictObject({
                type: z.enum(['text', 'link']),
                text: z.string().check(z.minLength(1), z.maxLength(3_000)),
                url: z.optional(z.string().check(z.regex(OURS))),
                style: z.optional(z.strictObject({ bold: z.literal(true) })),
              }),
            ),
          }),
        ),
      }),
    ]),
  ),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
})

test('no text breaks a message for Slack, its limits or its mentions', () => {
  fc.assert(
    fc.property(message, (given) => {
      const written = writeSlack(given)
      expect(written.length).toBeLessThan(10_000)
      const { text: fallback, blocks } = slackSchema.parse(JSON.parse(written))
      expect(blocks.length).toBeLessThanOrEqual(50)
      expect(fallback).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|@\w/)
      const parts = blocks.flatMap((block) =>
        block.type === 'divider' ? [] : block.elements.flatMap(({ elements }) => elements),
      )
      for (const { text } of parts) if (text !== '\n') isInert(text)
    }),
    runs,
  )
})

test('blocks are as Slack’s own types have them', () => {
  const blocks: KnownBlock[] = toSlackBody(
    createMessageModel(aGroup(), { threats: 5, textLength: 300 }),
  ).blocks
  expect(blocks).toHaveLength(8)
})

const runSchema = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().check(z.minLength(1)),
  size: z.optional(z.enum(['Medium'])),
  weight: z.optional(z.enum(['Bolder'])),
  color: z.optional(z.enum(['Attention'])),
  isSubtle: z.optional(z.literal(true)),
  selectAction: z.optional(
    z.strictObject({ type: z.literal('Action.OpenUrl'), url: z.string().check(z.regex(OURS)) }),
  ),
})
const cardSchema = z.object({
  version: z.literal('1.4'),
  body: z.array(
    z.strictObject({ type: z.literal('RichTextBlock'), spacing: z.string(), inlines: z.array(runSchema) }),
  ),
})
const envelopeSchema = z.strictObject({
  type: z.literal('message'),
  summary: z.string(),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.unknown(),
    }),
  ]),
})

test('no text breaks a card for Teams, its size or its Markdown', () => {
  fc.assert(
    fc.property(message, (given) => {
      const written = writeCard(given)
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(18 * 1024)
      const [{ content }] = envelopeSchema.parse(JSON.parse(written)).attachments
      const context = new SerializationContext(Versions.v1_4)
      new AdaptiveCard().parse(content, context)
      expect(context.eventCount).toBe(0)
      for (const { text } of cardSchema.parse(content).body.flatMap(({ inlines }) => inlines)) {
        isInert(text)
        expect(text).not.toContain('{{')
      }
    }),
    runs,
  )
})

const ELEMENTS = ['html', 'head', 'meta', 'title', 'style', 'body', 'div', 'table', 'tbody', 'tr', 'td']
const OWN_ELEMENTS = new Set([...ELEMENTS, 'h1', 'h2', 'h3', 'p', 'bdi', 'span', 'a', 'br'])
const OWN_ATTRIBUTES =
  /^(lang|charset|name|content|class|style|href|role|width|align|valign|cellpadding|cellspacing|border)$/

test('no text becomes markup of a mail, a header of it, or anything that is fetched', () => {
  const parser = new DOMParser()
  const styles = new Set<string>()
  fc.assert(
    fc.property(message, (given) => {
      const { subject, text, html } = writeEmail(given)
      isInert(subject)
      expect(subject.length).toBeLessThanOrEqual(150)
      const page = parser.parseFromString(html, 'text/html')
      const foreign = [...page.querySelectorAll('*')].flatMap((element) => [
        ...(OWN_ELEMENTS.has(element.localName) ? [] : [element.localName]),
        ...[...element.attributes].flatMap(({ name, value }) => {
          if (name === 'style') styles.add(value)
          return OWN_ATTRIBUTES.test(name) && (name !== 'href' || OURS.test(value))
            ? []
            : [`${name}=${value}`]
        }),
      ])
      expect(foreign).toEqual([])
      for (const { textContent } of page.querySelectorAll('bdi')) isInert(textContent)
      expect(html).not.toMatch(/url\(|@import|<img|<link/i)
      const long = text.split('\n').filter((line) => columnsOf(line) > 72 && !OURS.test(line.trim()))
      expect(long).toEqual([])
    }),
    runs,
  )
  // A text in one would have made another of each.
  expect(styles.size).toBeLessThan(30)
})

const webhookSchema = z.strictObject({
  type: z.enum(['alert.matches', 'alert.digest', 'alert.test', 'alert.notice']),
  timestamp: z.iso.datetime(),
  data: z.looseObject({ link: z.string().check(z.regex(OURS)) }),
})

test('no text breaks the body of a webhook, or its size', () => {
  fc.assert(
    fc.property(message, (given) => {
      for (const at of pagesOf(given).keys()) {
        const written = writeWebhook(given, new Date(), at + 1)
        expect(Buffer.byteLength(written)).toBeLessThan(20_000)
        const { data } = webhookSchema.parse(JSON.parse(written))
        const text = JSON.stringify(data, (key, value) =>
          key === 'link' || key === 'id' ? undefined : value,
        )
        expect(text).not.toMatch(/https?:\/\//)
      }
    }),
    runs,
  )
})
