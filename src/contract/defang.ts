// The ideographic and full-width full stops separate labels just as the ASCII one does (UTS 46).
const DOT = /(?<!\[)([.\u3002\uff0e\uff61])(?!\])/g
/**
 * Matches positions where a host can be, as opposed to a path. File names keep their dots, so that they stay readable.
 */
const HOST = /(?:^|\s|[/\\]{2,}|:\]?[/\\]*)[^\s/\\?#:]*/g
const ONION_DOT = /(?<!\[)[.\u3002\uff0e\uff61](?=onion\b)/gi
const AT = /(?<!\[)@(?!\])/g
const HTTP = /http(?=s?\s*\[?:)/gi
const SCHEME_COLON = /(?<!\[):(?=[/\\])|(?<=\b(?:hxxps?|javascript|vbscript|data|mailto|tel|file)\s*):/gi
const IP_V6 = /^\s*[\da-f]*(?::[\da-f]*){2,}(?:\[?\.\]?\d+)*(?:%\w+)?\s*$/i
const COLON = /(?<!\[):(?!\])/g

const ADDRESS =
  /https?:\S|:[/\\]{2}|\bwww[.\u3002\uff0e\uff61]|[.\u3002\uff0e\uff61]onion\b|[^\s@]@[^\s@]*[.\u3002\uff0e\uff61]/i

/** `acme.example`, but no file of a kind that is no top-level domain, no path, and no sentences that lack the space between. */
const DOMAIN =
  /(?<![\p{L}\p{N}_@.[/\\-])(?:[\p{L}\p{N}-]{1,63}[.\u3002\uff0e\uff61])+(?!(?:csv|dll|docx?|exe|gif|html?|jpe?g|js|json|log|mp4|pdf|png|pptx?|rar|sql|ts|txt|xlsx?|xml|ya?ml)\b)(?:\p{Ll}{2,24}|\p{Lu}{2,24}|xn--[a-z\d-]{1,59})(?![\p{L}\p{N}\-[])/gu

/** Makes an address one that no program takes for a link: `hxxps[:]//evil[.]example`. A second time changes nothing. */
export function defang(address: string): string {
  const colon = IP_V6.test(address) ? COLON : SCHEME_COLON
  return address
    .replace(HTTP, (scheme) => (scheme === 'HTTP' ? 'HXXP' : 'hxxp'))
    .replace(colon, '[:]')
    .replace(HOST, (host) => host.replace(DOT, '[$1]'))
    .replace(ONION_DOT, '[$&]')
    .replace(AT, '[@]')
}

/** Running text, its web, onion and email addresses defanged. Names such as `Node.js` stay as they are. */
export function defangText(text: string): string {
  if (!ADDRESS.test(text)) return text
  return text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? defang(word) : word))
}

/** Running text as `defangText` does it, and its bare domains too. */
export function defangProse(text: string): string {
  return defangText(text).replace(DOMAIN, (domain) => domain.replace(DOT, '[$1]'))
}
