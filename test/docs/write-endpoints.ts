import type { BffRoute } from '#bff/http/route.ts'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'

const HEAD = `# Endpoints of the BFF

For contributors: every route of the BFF. \`npm run docs\` writes this page from the route table and from \`src/contract/bff/endpoints.ts\`, and a test compares them.

Bodies and answers are JSON, described by the schemas in \`src/contract/bff\`. Errors are problems (RFC 9457, \`src/contract/bff/problem.ts\`). Each request needs the header \`x-lantern: 1\` and, unless the role is \`public\`, the session's cookie. *Role* is the lowest role that may use the route. *Cache* says whether the BFF may answer the same bytes again to users of the same role.

| method | path | role | cache | answers |
|---|---|---|---|---|
`

const OUTSIDE = `
## Outside the table

| method | path | who | answers |
|---|---|---|---|
| GET | \`/healthz\` | anyone, by any host | \`ok\` while the process runs |
| GET | \`/readyz\` | anyone, by any host | \`ready\`; 503 while it stops, until there is an account, and when nobody can read pages from memory while the database is unavailable |
| GET | \`/feeds/:fileName\` | who knows the secret address | the same as \`/bff/feeds/:fileName\`, without the header \`x-lantern\` |
| GET | \`/unsubscribe/:token\` | who has the link of a mail | a page with one button, **Stop these messages**; nothing changes |
| POST | \`/unsubscribe/:token\` | that page, and mail programs by themselves (RFC 8058) | the same as \`/bff/unsubscriptions\`, as a page |
| GET | \`/sign-in\` | anyone | the sign-in page, as HTML that needs no script; a signed-out browser that opens a page of the app is redirected here |
| POST | \`/sign-in\` | its own forms | the same as the routes under \`/bff/sign-in\`, as a page or a redirect |
| POST | \`/bff/csp-report\` | browsers, by themselves | nothing: a violation of the content security policy is logged |
| POST | \`/bff/back-channel-logout\` | the provider of single sign-on | nothing: the sessions that its logout token means have ended |
| GET | any other | anyone | a file of the app, or the app's page |
`

/** The document of all routes, in the contract's order. Throws where the contract and the table differ. */
export function writeEndpoints(table: readonly BffRoute[]): string {
  const routes = new Map(table.map((route) => [`${route.method} ${route.path}`, route]))
  const rows = Object.entries(ENDPOINTS).map(([endpoint, answers]) => {
    const route = routes.get(endpoint)
    if (!route) throw new Error(`${endpoint} is in the contract, and no route`)
    const { method, path, access, cache } = route
    return `| ${method} | \`${path}\` | ${access} | ${cache === 'answer' ? 'by role' : '–'} | ${answers} |\n`
  })
  return HEAD + rows.join('') + OUTSIDE
}
