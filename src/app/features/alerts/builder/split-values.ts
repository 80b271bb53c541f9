const SEPARATORS = new Set([',', ';', '\n', '\r', '\t', '，', '、', '；'])
const QUOTE = /["“”„«»]/

/** Typed or pasted text as keywords: parted by lines, commas and semicolons, but not inside quotation marks. */
export function splitKeywords(text: string): string[] {
  const pieces = ['']
  let isQuoted = false
  for (const character of text) {
    // A quotation mark that nobody closed ends with its line.
    if (QUOTE.test(character)) isQuoted = !isQuoted
    else if (character === '\n') isQuoted = false
    if (!isQuoted && SEPARATORS.has(character)) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return tidy(pieces)
}

/** Typed or pasted text as email addresses: no space or separator stands in one. `Ada <ada@lantern.example>` is read too. */
export function splitEmails(text: string): string[] {
  const inBrackets = [...text.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address)
  return inBrackets.length > 0 ? tidy(inBrackets) : tidy(text.split(/[\s,;]+/))
}

function tidy(pieces: readonly string[]): string[] {
  return pieces.map((piece) => piece.trim().replace(/\s+/g, ' ')).filter((piece) => piece !== '')
}
