import { withoutLegalForms } from './legal-forms.ts'
import { type NameWord, readNameWords } from './read-name.ts'

/** A title or a victim, read for names that stand in it. */
export type ThreatText = {
  text: string
  words: readonly NameWord[]
  hosts: readonly ThreatHost[]
}

/** A text that is compared with names as a whole, too. */
export type ThreatName = ThreatText & {
  /** The words without legal forms, and without what criminals add: "hacked", "files part 7". */
  core: readonly NameWord[]
  /** The visible beginning, in small letters, if the text ends with an ellipsis. */
  cut: string | null
}

/** A host in a text. It is the subject if the text begins with it. */
export type ThreatHost = { host: string; isSubject: boolean }

const HOST_MAX_LENGTH = 253
const HOSTS_MAX_COUNT = 20
const TEXT_MAX_LENGTH = 2_000
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const HOST = /(?<![\p{L}\p{N}_-])(@?)([\p{L}\p{N}][\p{L}\p{N}.-]{1,260}\.[\p{L}][\p{L}\p{N}-]{1,62})/gu
const BEFORE_SUBJECT = /^[\s\p{P}\p{S}]*(?:https?:[\s/]*)?$/iu
const CUT = /^([\p{L}\p{N}][\p{L}\p{N} .-]{5,80}?)(?:\.{2,}|…)\s*$/u
const NOISE = new Set(
  'leak leaks leaked leaaked leakage data database databases breach breached hacked hack file files part parts published publication full dump gb tb mb more then than attention updated update from of in for sale access stolen ransomware attack attacked encrypted confidential sensitive list removed announcement security network victim customers records documents personal info information company corporate www http https free download claims claimed listed lists by on its to has been was is a an old new all'.split(
    ' ',
  ),
)
const NOISY_NUMBER = /^part\d+$|^\d+[gtmk]b$/u
const NUMBER = /^\p{N}+$/u

export function readThreatText(source: string): ThreatText {
  const text = source.length > TEXT_MAX_LENGTH ? source.slice(0, TEXT_MAX_LENGTH) : source
  return { text, words: readNameWords(text), hosts: text.includes('.') ? findHosts(text) : [] }
}

export function readThreatName(source: string): ThreatName {
  const read = readThreatText(source)
  return {
    ...read,
    core: withoutLegalForms(withoutNoise(read.words)),
    cut: CUT.exec(read.text.trim())?.[1]?.toLowerCase() ?? null,
  }
}

/** The words between the first and the last that can belong to a name. A number belongs to the word beside it. */
function withoutNoise(words: readonly NameWord[]): readonly NameWord[] {
  let start = 0
  let end = words.length
  const isNoise = (at: number, beside: number): boolean => {
    const word = words[at]?.text ?? ''
    return (
      NOISE.has(word) ||
      NOISY_NUMBER.test(word) ||
      (NUMBER.test(word) && NOISE.has(words[beside]?.text ?? ''))
    )
  }
  while (start < end && isNoise(start, start + 1)) start++
  while (end > start && isNoise(end - 1, end - 2)) end--
  return words.slice(start, end)
}

function findHosts(source: string): ThreatHost[] {
  const text = source.replace(INVISIBLE, '').normalize('NFKC')
  const hosts: ThreatHost[] = []
  for (const { 1: at, 2: written = '', index } of text.matchAll(HOST)) {
    const host = written.toLowerCase().replace(/^www\./u, '')
    if (host.length > HOST_MAX_LENGTH || host.includes('..')) continue
    hosts.push({
      host,
      isSubject: at === '' && BEFORE_SUBJECT.test(text.slice(0, Math.min(index, 20))) && index <= 20,
    })
    if (hosts.length === HOSTS_MAX_COUNT) break
  }
  return hosts
}
