import { FIELD_NAMES } from './query-tree.ts'

type SignHint = { message: string; fix?: string }

const WORD = String.raw`[\p{L}\p{N}]`
const EQUALS = /^([A-Za-z]+)(!?=)=?(.+)$/

/** Signs of other languages, which are text here: who writes them means something else than what is searched for. */
const SIGNS: readonly (readonly [RegExp, (text: string) => SignHint])[] = [
  [/^\|{1,2}$/, () => ({ message: 'Write OR between what is to hold either way.', fix: 'OR' })],
  [
    new RegExp(`^!${WORD}`, 'u'),
    (text) => ({ message: '“!” is text here. A dash leaves out what follows.', fix: `-${text.slice(1)}` }),
  ],
  [
    new RegExp(`^\\*+${WORD}`, 'u'),
    () => ({ message: 'A star stands for how a word goes on: what comes before it is not left open.' }),
  ],
  [
    new RegExp(`${WORD}\\*+${WORD}`, 'u'),
    () => ({ message: 'A star stands at the end of a word: in it, it parts two words.' }),
  ],
  [
    /~[\d.]*$/,
    (text) => ({
      message: '“~” is text here: no other spelling is looked for.',
      fix: text.replace(/~[\d.]*$/, ''),
    }),
  ],
  [/^\/.*[[\]\\.*+?^$|].*\/$/, () => ({ message: 'This is searched for as text: patterns are not read.' })],
]

/** What to say of a word with such a sign; null where it has none. */
export function signHint(text: string): SignHint | null {
  const [, name = '', sign, value = ''] = EQUALS.exec(text) ?? []
  const field = FIELD_NAMES.find((each) => each === name.toLowerCase())
  if (field) {
    const fix = `${sign === '!=' ? '-' : ''}${field}:${value}`
    return { message: `A field’s value stands behind a colon: “${fix}”.`, fix }
  }
  const [, hint] = SIGNS.find(([pattern]) => pattern.test(text)) ?? []
  return hint?.(text) ?? null
}
