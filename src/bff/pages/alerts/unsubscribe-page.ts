import { html } from 'hono/html'
import { formPageHeaders } from '#bff/http/guards/response-headers.ts'
import { type Markup, renderDocument, STYLE_HASH } from '#bff/http/page-document.ts'
import type { PageRoute } from '#bff/http/page-route.ts'
import { UNSUBSCRIBE_PATH } from '#bff/notify/unsubscribe.ts'
import { problemSchema } from '#contract/bff/problem.ts'

/**
 * The link of a mail leads here (RFC 8058). Mail programs post to it by themselves; people press its button. A GET
 * changes nothing, because scanners send it. The page names neither profile nor address, because mails are forwarded.
 */
export function unsubscribePage(): PageRoute {
  async function show(heading: string, content: Markup, { status, headers }: ResponseInit = {}) {
    return new Response(await renderDocument({ title: heading, heading, content }), {
      ...(status !== undefined && { status }),
      headers: {
        ...formPageHeaders(STYLE_HASH),
        'content-type': 'text/html; charset=utf-8',
        ...headers,
      },
    })
  }
  return {
    path: `${UNSUBSCRIBE_PATH}/:token`,
    isPostedByPrograms: true,
    get: ({ path }) =>
      show(
        'Stop these messages?',
        html`<div class="card"><p>The alert profile that sent the message will not notify this address any more.</p>
<form method="post" action="${path}"><button class="primary">Stop these messages</button></form></div>`,
      ),
    async post({ path, post }) {
      const answer = await post('/bff/unsubscriptions', { token: path.slice(UNSUBSCRIBE_PATH.length + 1) })
      if (answer.ok)
        return show(
          'Messages stopped',
          html`<div class="card"><p role="status">The alert profile does not notify this address any more. Its owner can add the address again.</p></div>`,
        )
      const { title, detail } = problemSchema.parse(await answer.json())
      const retryAfter = answer.headers.get('retry-after')
      return show(title, html`<div class="card"><p role="alert">${detail}</p></div>`, {
        status: answer.status,
        headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
      })
    },
  }
}
