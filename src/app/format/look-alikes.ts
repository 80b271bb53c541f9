import type { TextRange } from '#contract/visible-text.ts'

export type LookAlike = TextRange & {
  /** The domain that users would take it for; null if its letters are of several scripts but resemble no other. */
  looksLike: string | null
  /** The letters that are not what they look like, each once. */
  letters: string
  scripts: readonly string[]
}

/** Runs of labels with dots between, also where the dots are in brackets already. */
const HOST = /[\p{L}\p{M}\p{N}-]+(?:\[?[.\u3002\uff0e\uff61]\]?[\p{L}\p{M}\p{N}-]+)+/gu
const SEPARATOR = /\[?[.\u3002\uff0e\uff61]\]?/u
/** Not the end of one sentence and the beginning of the next. */
const TOP_LEVEL = /^(?:\p{Ll}{2,24}|\p{Lu}{2,24}|xn--[a-z\d-]+)$/u

/** Scripts that share shapes with each other. Those of China, Japan, Korea, Arabia and India share none with Latin. */
const SCRIPTS = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
} as const

/** The letters that look like a Latin one in most fonts, after those of Unicode's confusables.txt (UTS 39). */
const SHAPES = new Map(
  [
    ['асԁеһіјӏорԛѕԝхуѵ', 'acdehijlopqswxyv'],
    ['АВЕЅІЈКМНОРСТХУ', 'ABESIJKMHOPCTXY'],
    ['ανορικυχ', 'avopikux'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['օոսհցյ', 'onuhgj'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, at) => [letter, to[at] ?? ''] as const)),
)

/** Domains whose letters are of several scripts, or all of one that looks like another. */
export function findLookAlikes(text: string): LookAlike[] {
  // Nothing to find in what is written in ASCII alone.
  if (!/[^\p{ASCII}]/u.test(text)) return []
  return [...text.matchAll(HOST)].flatMap(({ 0: host, index }) => {
    const labels = host.split(SEPARATOR)
    const topLevel = labels.at(-1) ?? ''
    if (!TOP_LEVEL.test(topLevel)) return []
    const odd = labels.filter((label) => isMixed(label) || isDisguised(label, topLevel))
    if (odd.length === 0) return []
    const letters = new Set(odd.flatMap((label) => [...label].filter((letter) => SHAPES.has(letter))))
    const plain = host.replace(/./gu, (letter) => SHAPES.get(letter) ?? letter)
    return [
      {
        start: index,
        end: index + host.length,
        looksLike: /^\p{ASCII}+$/u.test(plain) ? plain : null,
        letters: [...letters].join(''),
        scripts: [...new Set(odd.flatMap(scriptsOf))],
      },
    ]
  })
}

/** In words, for a person. */
export function describeLookAlike({ looksLike, letters, scripts }: LookAlike): string {
  const foreign = scripts.filter((script) => script !== 'Latin').join(' and ')
  if (looksLike === null) return `mixes letters: ${scripts.join(' and ')}`
  const named = [...letters]
  const shown = named.slice(0, LETTERS_MAX_COUNT).join(', ') + (named.length > LETTERS_MAX_COUNT ? '…' : '')
  return `looks like ${looksLike}, but ${shown} ${named.length === 1 ? 'is' : 'are'} ${foreign}`
}

const LETTERS_MAX_COUNT = 4

function scriptsOf(text: string): string[] {
  return Object.entries(SCRIPTS).flatMap(([name, script]) => (script.test(text) ? [name] : []))
}

function isMixed(label: string): boolean {
  return scriptsOf(label).length > 1
}

/** All of it in letters that look Latin, below a top-level domain that is. */
function isDisguised(label: string, topLevel: string): boolean {
  const letters = label.match(/\p{L}/gu) ?? []
  return /^[a-z\d-]+$/i.test(topLevel) && letters.length > 0 && letters.every((letter) => SHAPES.has(letter))
}
