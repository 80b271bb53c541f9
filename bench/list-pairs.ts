export type ListPair = {
  name: string
  domains: readonly string[]
  title: string
  isMatch: boolean
  set?: string
}

/** Invented names, and a word of everyday language for each. */
const NAMES = 'Okapilane Zebravik Gnuhaven Tapirwerk Lorisford Quollmark Numbatray Dugongate'.split(' ')
const WORDS = 'Delta Apex First Summit Pioneer Global Atlas Premier'.split(' ')

type Words = { one: string; two: string; word: string; at: number }

/** Entries with a domain, if any, and titles of threats that are about them. */
const writeMatches = ({ one, two, at }: Words) => `
${one} Ltd |  | ${one.toUpperCase()}
${one} Freight Services GmbH & Co. KG |  | ${one} Freight Services
The ${one} Group |  | ${one} Holdings S.p.A.
${one} & ${two}, Inc. |  | ${one} and ${two}
${one} | ${one.toLowerCase()}.example | ${one.toUpperCase()}.EXAMPLE FILES PART${at + 2} - [file list removed]
${one} Freight |  | Security breach of ${one} Freight, ${at + 3}0 GB
${one} Freight Lines |  | ${one.toLowerCase()}freightl...
${one} S.A. de C.V. |  | ${one.toLowerCase()}.org
${one} Sons Freight |  | ${one} Sons Frieght
${one} ${two} Dock Company |  | ${one.charAt(0)}${two.charAt(0)}DC
${one} Systems |  | ${one} (US)
${one.slice(0, 4)} ${one.charAt(4).toUpperCase()}${one.slice(5)} |  | ${one}
`
/** The same with titles that are about somebody else. */
const writeOthers = ({ one, two, word, at }: Words) => `
${one} |  | ${two}
${one} Bank |  | ${two} Bank
${word} |  | ${word} ${one}
${one} | ${one.toLowerCase()}.example | ${two.toLowerCase()}.example
Northern ${one} Health |  | Southern ${one} Health
${one} ${at + 2} |  | ${one} ${at + 3}
${one.slice(0, 4)} |  | ${one}
`

export const LIST_PAIRS: readonly ListPair[] = NAMES.flatMap((one, at) => {
  const words = { one, two: NAMES[(at + 3) % NAMES.length] ?? '', word: WORDS[at] ?? '', at }
  return [...readPairs(writeMatches(words), true), ...readPairs(writeOthers(words), false)]
})

function readPairs(lines: string, isMatch: boolean): ListPair[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', domain = '', title = ''] = line.split(' | ').map((part) => part.trim())
      return { name, domains: domain ? [domain] : [], title, isMatch }
    })
}
