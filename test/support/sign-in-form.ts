import type { TestRequest } from './ask-bff.ts'

type Browser = { ask(path: string, request?: TestRequest): Promise<Response> }

/** What a browser sends with an address that a person has typed, and with a form of a page of ours. */
const TYPED = { 'x-lantern': '', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
export const OWN_FORM = {
  ...TYPED,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  origin: 'http://localhost:4173',
}

/** Opens a page as a person does; `site` is where they come from, as the browser says it. */
export function openPage({ ask }: Browser, address: string, site = 'none'): Promise<Response> {
  return ask(address, { headers: { ...TYPED, 'sec-fetch-site': site } })
}

/** Opens the sign-in page at an address, and sends one of its forms. */
export async function sendForm(
  browser: Browser,
  fields: Readonly<Record<string, string>>,
  { address = '/sign-in', headers = OWN_FORM }: { address?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const page = await (await openPage(browser, address, 'same-origin')).text()
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
  const body = new URLSearchParams({ token, ...fields }).toString()
  return browser.ask(address, { method: 'POST', body, headers })
}
