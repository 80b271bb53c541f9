// The ideographic and full-width full stops separate labels just as the ASCII one does (UTS 46).
const DOT = /(?<!\[)([.\u3002\uff0e\uff61])(?!\])/g
const AT = /(?<!\[)@(?!\])/g
const HTTP = /http(?=s?\s*\[?:)/gi
const SCHEME_COLON = /(?<!\[):(?=[/\\])|(?<=\b(?:hxxps?|javascript|vbscript|data|mailto|tel|file)\s*):/gi
const IP_V6 = /^\s*[\da-f]*(?::[\da-f]*){2,}(?:\[?\.\]?\d+)*(?:%\w+)?\s*$/i
const COLON = /(?<!\[):(?!\])/g

/** Makes an address one that no program takes for a link: `hxxps[:]//evil[.]example`. A second time changes nothing. */
export function defang(address: string): string {
  const colon = IP_V6.test(address) ? COLON : SCHEME_COLON
  return address
    .replace(HTTP, (scheme) => (scheme === 'HTTP' ? 'HXXP' : 'hxxp'))
    .replace(colon, '[:]')
    .replace(DOT, '[$1]')
    .replace(AT, '[@]')
}
