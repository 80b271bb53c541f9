import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

export type Markup = ReturnType<typeof html>

/** The colours and measures of `src/app/styles.css`, in the system's font: nothing else has to come before the form stands. */
const STYLES = `
:root{color-scheme:light dark;--canvas:light-dark(oklch(.982 .002 250),oklch(.168 .006 255));--surface:light-dark(oklch(1 0 0),oklch(.2 .007 255));--hover:light-dark(oklch(.962 .004 250),oklch(.245 .009 255));--line:light-dark(oklch(.915 .005 250),oklch(.285 .009 255));--edge:light-dark(oklch(.64 .012 255),oklch(.53 .012 255));--ink:light-dark(oklch(.23 .012 255),oklch(.945 .004 255));--muted:light-dark(oklch(.45 .014 255),oklch(.765 .01 255));--accent:light-dark(oklch(.49 .09 205),oklch(.81 .1 195));--strong:light-dark(oklch(.43 .085 208),oklch(.87 .09 193));--on-accent:light-dark(oklch(.99 .005 200),oklch(.2 .03 205));--critical:light-dark(oklch(.5 .19 25),oklch(.76 .14 22));--flame:light-dark(oklch(.76 .16 68),oklch(.83 .15 75))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:.8125rem/1.25rem system-ui,sans-serif}
main{display:grid;place-content:center;grid-template-columns:minmax(0,22rem);min-height:100dvh;padding:1rem 1rem 6rem}
header{display:grid;justify-items:center;gap:.75rem;margin-bottom:1.5rem;text-align:center}
header svg{width:2.25rem;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
header svg path+path{fill:var(--flame);stroke:none}
h1{margin:0;font-size:1.25rem;line-height:1.75rem;letter-spacing:-.025em;font-weight:600}
p,ul{margin:0}header p,small,details{color:var(--muted)}header p{margin-top:.25rem}
.card{display:grid;gap:1rem;padding:1.25rem;border:1px solid var(--line);border-radius:12px;background:var(--surface);box-shadow:0 1px 2px oklch(0 0 0/.06)}
form{display:grid;gap:1rem}.note{margin-bottom:1rem;text-align:center}
.field{display:grid;gap:.25rem}label{color:var(--muted);font-size:.75rem;font-weight:500;line-height:1rem}
input,button,.button{width:100%;height:2.25rem;margin:0;padding:0 .625rem;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:var(--ink);font:inherit}
input[aria-invalid]{border-color:var(--critical)}small{font-size:.75rem;line-height:1rem}small:empty{display:none}.fault{color:var(--critical)}
button,.button{display:grid;place-content:center;cursor:pointer;font-weight:500;text-decoration:none}
button:hover,.button:hover{background:var(--hover)}button:disabled{opacity:.55}
.primary{border-color:transparent;background:var(--accent);color:var(--on-accent)}
.primary:hover{background:var(--strong)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}input:focus-visible{outline-offset:-1px}input[aria-invalid]:focus-visible{outline-color:var(--critical)}
.alert{padding:.5rem .75rem;border:1px solid color-mix(in oklab,var(--critical) 35%,transparent);border-radius:6px;background:color-mix(in oklab,var(--critical) 10%,transparent)}
.alert b{font-weight:500}.alert p+p{color:var(--muted)}
a{color:var(--accent)}.others{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.or{display:flex;align-items:center;gap:.75rem;color:var(--muted);font-size:.75rem}.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
details{margin-top:1rem}summary{width:fit-content;border-radius:4px;cursor:pointer}
details form{margin-top:.5rem}ul{display:grid;gap:.375rem;margin-top:.25rem;padding-left:1.25rem}
[hidden]{display:none!important}
@media(max-width:639px),(pointer:coarse){input,button,.button{height:2.75rem}input{font-size:1rem}summary,.others a{line-height:2.75rem}.others a{display:block}}
`

/** The content security policy names this hash, so that no other style applies. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLES).digest('base64')}`

type Document = {
  /** The title of the browser's tab. */
  title: string
  heading: string
  scripts?: readonly string[]
  /** Files that the app begins with: fetched while a person types. */
  prefetch?: readonly string[]
  /** The page redirects here. */
  leadsTo?: string | undefined
  content: Markup
}

/** A whole page that needs no script. Everything in it is escaped but for the style sheet. */
export async function renderDocument({
  title,
  heading,
  scripts = [],
  prefetch = [],
  leadsTo,
  content,
}: Document): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Lantern</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${leadsTo && html`<meta http-equiv="refresh" content="0;url=${leadsTo}">`}
<style>${raw(STYLES)}</style>
<script src="/theme.js" async></script>${scripts.map((path) => html`<script src="${path}" defer></script>`)}
${prefetch.map((path) => html`<link rel="prefetch" href="${path}" as="${kindOf(path)}" crossorigin>`)}
</head><body><main><div>
<header><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M7.5 3.8a2.5 2.5 0 0 1 5 0M6 5h8M6.5 5 5.3 16.5h9.4L13.5 5M4 16.5h12"/><path d="M10 7.2c1.5 1.7 2.2 2.9 2.2 4.1a2.2 2.2 0 0 1-4.4 0c0-1.2.7-2.4 2.2-4.1z"/></svg>
<div><h1>${heading}</h1><p>Dark-web threat intelligence for your team</p></div></header>
${content}
</div></main></body></html>
`,
  )
}

function kindOf(path: string): string {
  if (path.endsWith('.css')) return 'style'
  return path.endsWith('.woff2') ? 'font' : 'script'
}
