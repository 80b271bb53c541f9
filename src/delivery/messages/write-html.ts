import type { Footer, MessageModel, ModelThreat } from './message-model.ts'

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
export function writeHtml(model: MessageModel, footer: Footer): string {
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
