const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/
/** Hosts at which many organisations have a page or an address: to be equal in one says nothing. */
const SHARED_HOST =
  /(?:^|\.)(?:facebook|instagram|linkedin|twitter|x|youtube|tiktok|github|gmail|outlook|hotmail|yahoo|wikipedia|google|t|telegram)\.(?:com|me|org|co)$/
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** A domain as an entry of a list holds it: ASCII, lower case, without scheme, port and path. Or why the text is none. */
export type ReadDomain = { domain: string } | { fault: string }

/** Reads a domain from what procurement lists hold: `Okapi.example`, `https://www.okapi.example:8443/about`. */
export function readDomain(text: string): ReadDomain {
  const trimmed = text.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  let host: string
  try {
    // A mail address names its domain after the @, as the user part of an address.
    host = new URL(address.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:')).hostname.replace(/\.$/, '')
  } catch {
    return { fault: 'This is not a domain.' }
  }
  if (IP_ADDRESS.test(host))
    return {
      fault: 'This is an IP address. Threats are matched by domains: give the domain, or only the name.',
    }
  const labels = host.split('.')
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label)))
    return { fault: 'This is not a domain.' }
  if (labels.at(-1) === 'onion')
    return {
      fault:
        'This is an onion address. Threats are matched by the domains of organisations: give that, or only the name.',
    }
  if (SHARED_HOST.test(host))
    return {
      fault:
        'Many organisations have a page or an address at this host. Give the domain of their own, or only the name.',
    }
  return { domain: host }
}
