import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { html } from 'hono/html'
import { plainPageHeaders } from './guards/response-headers.ts'
import { renderDocument, STYLE_HASH } from './page-document.ts'

/** Programs look for something there, even one that a person has given the address to. */
const MACHINE_PATH = /^\/(?:api|assets|bff|feeds|mcp|taxii2|\.well-known)(?:\/|$)/
const FILE_NAME = /\.[^/]*$/
const PROBLEM = 'application/problem+json'

/** Returns true if a browser has opened an address that looks like a page's. Other requests get a problem. */
export function isMistypedPage(c: Context): boolean {
  if (MACHINE_PATH.test(c.req.path) || FILE_NAME.test(c.req.path)) return false
  const supports = [PROBLEM, 'application/json', 'text/html']
  return accepts(c, { header: 'Accept', supports, default: PROBLEM }) === 'text/html'
}

export async function pageNotFound(): Promise<Response> {
  const document = await renderDocument({
    title: 'Page not found',
    heading: 'Page not found',
    content: html`<div class="card"><p>Lantern has no page at this address. Check it for typing errors, or start from the overview.</p>
<a class="button primary" href="/">Open the overview</a></div>`,
  })
  return new Response(document, {
    status: 404,
    headers: { ...plainPageHeaders(STYLE_HASH), 'content-type': 'text/html; charset=utf-8' },
  })
}
