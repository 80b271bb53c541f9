import type { Context } from 'hono'
import type { BffEnvironment } from './app-environment.ts'
import { readForm } from './read-input.ts'
import type { RouteRequest } from './route.ts'
import { describeRequest } from './route-handler.ts'

/** A page may use these facts of a request. */
export type PageRequest = RouteRequest & {
  path: string
  search: URLSearchParams
  /** Path and query, as they were sent. */
  target: string
  /** Another site, or a sibling domain, led here: the browser holds back cookies that are SameSite=Strict. */
  isFromElsewhere: boolean
}

/** A form that was posted to a page. */
export type FormRequest = PageRequest & {
  form: URLSearchParams
  /** Posts to a line of the route table as a script of ours does, so that its guards, limits and records hold. */
  post(path: `/bff/${string}`, body: unknown): Promise<Response>
}

/** A page that the BFF writes itself: HTML whose forms are posted to its own address. */
export type PageRoute = {
  path: string
  /** Programs may post too, which name no origin: the proof of the request is in its address. */
  isPostedByPrograms?: boolean
  get(request: PageRequest): Promise<Response>
  post(request: FormRequest): Promise<Response>
}

type PageContext = Context<BffEnvironment>
type PostInside = (
  path: string,
  init: RequestInit,
  environment: PageContext['env'],
) => Response | Promise<Response>

export function showPage(page: PageRoute, c: PageContext): Promise<Response> {
  nameRoute(c, page)
  return page.get(describePage(c))
}

export async function takeForm(page: PageRoute, c: PageContext, postInside: PostInside): Promise<Response> {
  nameRoute(c, page)
  const form = await readForm(c.req.raw)
  return page.post({
    ...describePage(c),
    form,
    async post(path, body) {
      const headers = new Headers({ 'x-lantern': '1', 'content-type': 'application/json' })
      for (const name of ['cookie', 'user-agent']) headers.set(name, c.req.header(name) ?? '')
      return postInside(path, { method: 'POST', headers, body: JSON.stringify(body) }, c.env)
    },
  })
}

/** Metrics and log count such a page by its path: unlike a file, it can fail. */
function nameRoute(c: PageContext, { path }: PageRoute): void {
  if (c.env?.facts) c.env.facts.route = path
}

export function describePage(c: PageContext): PageRequest {
  const site = c.req.header('sec-fetch-site')
  const url = new URL(c.req.url)
  return {
    ...describeRequest(c, `${c.req.method} ${c.req.path}`),
    path: c.req.path,
    search: url.searchParams,
    target: `${url.pathname}${url.search}`,
    isFromElsewhere: site === 'cross-site' || site === 'same-site',
  }
}
