const HERE = 'https://lantern.invalid'
/** With room for the rest of a request's head. */
const MAX_LENGTH = 8_000

/**
 * The path, query and fragment of a page of this site, as a browser goes there; null for any other address. Sign-in itself
 * and the BFF's data are no pages to go on to.
 */
export function readOwnPath(address: string): string | null {
  if (address.length > MAX_LENGTH || !/^\/(?![/\\])/.test(address)) return null
  // Browsers drop tabs and line breaks, read `\` as `/` and resolve dots, so the parser has the last word.
  const url = URL.parse(address, HERE)
  if (url?.origin !== HERE || url.pathname.startsWith('//')) return null
  if (/^\/(sign-in|bff)(\/|$)/.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}
