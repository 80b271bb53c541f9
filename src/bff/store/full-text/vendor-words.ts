import { faultySearch } from '#bff/store/read-search.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { printQuery } from '#matcher/query/print-query.ts'
import { conjunctsOf } from '#matcher/query/query-tree.ts'

/** Vendors accept this length as one parameter, and the database stores it. */
const WORDS_MAX_LENGTH = 512

const NO_WORDS =
  'Only words and phrases that must hold can be sent to the vendor, and this search has none. Words behind OR or a dash, words with a star, and fields are not sent.'
const TOO_LONG = `The words of this search are longer than ${WORDS_MAX_LENGTH} characters. Remove some of them.`

export type VendorWords = {
  /** The words as the vendor receives them. */
  sent: string
  /** The words as the matcher normalises them, in alphabetical order: searches that mean the same share one entry. */
  normalised: string
}

/** The words and phrases of a search that must hold, or why they cannot be sent. Throws where the search has no meaning. */
export function vendorWordsOf(q: string): VendorWords | { refusal: string } {
  const { tree, faults } = parseQuery(q)
  if (faults.length > 0) throw faultySearch(faults)
  const byKeyword = new Map<string, string>()
  for (const node of conjunctsOf(tree)) {
    if (node.kind !== 'word' || node.isPrefix) continue
    const normalised = parseKeyword(node.text)?.normalised
    if (normalised !== undefined && !byKeyword.has(normalised)) byKeyword.set(normalised, printQuery(node))
  }
  if (byKeyword.size === 0) return { refusal: NO_WORDS }
  const sent = [...byKeyword.values()].join(' ')
  const normalised = [...byKeyword.keys()].toSorted().join('')
  if (Math.max(sent.length, normalised.length) > WORDS_MAX_LENGTH) return { refusal: TOO_LONG }
  return { sent, normalised }
}
