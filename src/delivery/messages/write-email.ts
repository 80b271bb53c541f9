import type { Message } from '#delivery/message.ts'
import { createMessageModel, type Footer, type MessageModel, type ModelThreat } from './message-model.ts'

/** Mail has room for all that a message brings. */
const SPACE = { threats: 5, textLength: 300 }
const FOOTER = [
  'Sent by Lantern. Addresses in it are written so that nothing follows them: hxxp, [.] and [@].',
  'Whoever looks after alerts in Lantern can change whom they are sent to.',
]

/** `stopUrl` is where its recipient stops such messages. */
export function writeEmail(
  message: Message,
  stopUrl: string | null = null,
): { subject: string; text: string; html: string } {
  const model = createMessageModel(message, SPACE)
  const footer = { lines: FOOTER, stopUrl }
  return {
    subject: model.subject,
    text: writePlainText(model, footer),
    html: writeHtml(model, footer),
  }
}

const COLUMNS = 72
const INDENT = '   '
const WIDE =
  /^(?:\p{Extended_Pictographic}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60])/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A message for readers of plain text: lines of 72 columns, and no address but our own. */
function writePlainText(model: MessageModel, footer: Footer): string {
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

/** Inline for clients that drop style sheets; what is below is for those that have a dark side, or are narrow. */
const INK = 'color:#1b1f24'
const MUTED = 'color:#59636e'
const RULE = '1px solid #d9dee3'
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .page { padding: 16px !important; } .outer { padding: 0 !important; } .page { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important; } .foot { padding: 16px !important; } .button { display: block !important; text-align: center; } }
@media (prefers-color-scheme: dark) {
  .outer { background: #0d1014 !important; }
  .page { background: #15191e !important; border-color: #2b323a !important; }
  .ink { color: #e6eaee !important; }
  .muted { color: #9aa5b1 !important; }
  .link { color: #7db4ff !important; }
  .rule { border-color: #2b323a !important; }
  .button { background: #2f6fd6 !important; color: #ffffff !important; }
  .critical { background: #5c1a1f !important; color: #ffc9cc !important; }
  .severity { background: #2b323a !important; color: #d5dbe1 !important; }
}`

/** A message as a mail of its own: nothing in it is fetched, and third-party text is text alone. */
function writeHtml(model: MessageModel, footer: Footer): string {
  const { subject, heading, causes, paragraphs, threats, more, link } = model
  const because =
    causes === null
      ? ''
      : `<p class="muted" style="margin:0 0 12px;font-size:14px;${MUTED}">Because of ${bdi(causes)}</p>`
  const stop =
    footer.stopUrl === null
      ? ''
      : `<br><a class="link" href="${escapeHtml(footer.stopUrl)}" style="display:inline-block;padding:12px 0;color:#1a4fa3">Stop these messages</a>`
  const [first] = threats
  const hasSections = threats.some(({ section }) => section !== null)
  const preview = first?.matched ? `Matched: ${first.matched}` : (causes ?? paragraphs[0] ?? '')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}
</style>
</head>
<body class="outer" style="margin:0;padding:0;background:#f3f5f7">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="outer" align="center" style="padding:24px 12px;background:#f3f5f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:620px"><tr><td class="page ink" align="left" style="padding:24px 28px;background:#ffffff;border:${RULE};border-radius:8px;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;${INK};overflow-wrap:anywhere;word-break:break-word">
${heading === null ? '' : `<h1 class="ink" style="margin:0 0 4px;font-size:19px;line-height:1.35;font-weight:600;${INK}">${bdi(heading)}</h1>\n${because}`}
${paragraphs.map((paragraph) => `<p style="margin:0 0 12px">${bdi(paragraph)}</p>`).join('\n')}
${threats.map((threat) => threatHtml(threat, heading === null ? 'h1' : hasSections ? 'h3' : 'h2')).join('\n')}
${heading === null ? because : ''}
${more === null ? '' : `<p class="rule muted" style="margin:0;padding:12px 0 0;border-top:${RULE};${MUTED}">And ${more}.</p>`}
<p style="margin:16px 0 0"><a class="button" href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 18px;border-radius:6px;background:#1f5fc4;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>
</td></tr><tr><td class="foot muted" align="left" style="padding:14px 28px 0;font:12px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;${MUTED}">
${footer.lines.map((line) => escapeHtml(line)).join('<br>\n')}
${stop}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

function threatHtml(
  { section, severity, isCritical, title, link, matched, facts }: ModelThreat,
  tag: 'h1' | 'h2' | 'h3',
): string {
  const colours = isCritical ? 'background:#fde3e4;color:#9b1c22' : 'background:#e8ecf0;color:#3d4650'
  const pill =
    severity === null
      ? ''
      : `<span class="${isCritical ? 'critical' : 'severity'}" style="display:inline-block;margin:0 8px 0 0;padding:0 8px;border-radius:10px;font-size:12px;line-height:20px;font-weight:600;white-space:nowrap;vertical-align:1px;${colours}">${bdi(severity)}</span>`
  const isOnly = tag === 'h1'
  const size = isOnly ? 'font-size:19px;line-height:1.35' : 'font-size:16px;line-height:1.4'
  const frame = isOnly ? 'padding:0 0 8px' : `padding:12px 0;border-top:${RULE}`
  const rows = [...(matched === null ? [] : [{ label: 'Matched', value: matched }]), ...facts]
  const above =
    section === null
      ? ''
      : `<h2 class="ink" style="margin:16px 0 8px;font-size:17px;line-height:1.4;font-weight:600;${INK}">${bdi(section)}</h2>\n`
  return `${above}<div class="rule" style="${frame}">
<${tag} style="margin:0 0 6px;font-weight:600;${size}">${pill}<a class="link" href="${escapeHtml(link)}" style="color:#1a4fa3;text-decoration:none">${bdi(title)}</a></${tag}>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
${rows.map(({ label, value }) => `<tr><td class="muted" valign="top" style="padding:0 12px 0 0;white-space:nowrap;${MUTED}">${label}</td><td class="ink" valign="top" style="${INK};overflow-wrap:anywhere;word-break:break-word">${bdi(value)}</td></tr>`).join('\n')}
</table>
</div>`
}

/** Text of any direction, kept apart from its surroundings. */
function bdi(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
