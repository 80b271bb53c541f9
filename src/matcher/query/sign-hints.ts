import { findFieldName } from './query-tree.ts'

type SignHint = { message: string; fix?: string }

const WORD = String.raw`[\p{L}\p{N}]`
const COMPARED = /^([A-Za-z]+)(!=|[<>]=?|=)=?(.+)$/
const LED = /^([!+]+)([A-Za-z]+):/

const STAR = 'Use * only at the end of a word.'

/** Signs of other languages, which are text in a word: who writes them means something else than what is searched for. */
const SIGNS: readonly (readonly [RegExp, (text: string) => SignHint])[] = [
  [/^\|{1,2}$/, () => ({ message: 'Write OR between what is to hold either way.', fix: 'OR' })],
  [
    new RegExp(`^!${WORD}`, 'u'),
    (text) => ({ message: '“!” is text here. A dash leaves out what follows.', fix: `-${text.slice(1)}` }),
  ],
  [new RegExp(`^\\*+${WORD}`, 'u'), (text) => ({ message: STAR, fix: text.replace(/^\*+/, '') })],
  [new RegExp(`${WORD}\\*+${WORD}`, 'u'), (text) => ({ message: STAR, fix: text.replace(/\*.*$/s, '*') })],
  [
    /~[\d.]*$/,
    (text) => ({
      message: '“~” does not find other spellings.',
      fix: text.replace(/~[\d.]*$/, ''),
    }),
  ],
  [/^\/.*[[\]\\.*+?^$|].*\/$/, () => ({ message: 'Patterns between slashes are searched for as text.' })],
]

/** Signs that would be dropped from a value. */
const VALUE_SIGNS: typeof SIGNS = [
  [
    new RegExp(`${WORD}[|;]+${WORD}`, 'u'),
    (text) => ({ message: 'Write a comma between values.', fix: text.replaceAll(/[|;]+/g, ',') }),
  ],
  [
    new RegExp(`^[+=]+${WORD}`, 'u'),
    (text) => ({ message: `Leave “${text.charAt(0)}” out.`, fix: text.replace(/^[+=]+/, '') }),
  ],
  ...SIGNS.slice(2),
]

/** Returns a hint for a word with a sign of another query language; null if it has none. */
export function signHint(text: string): SignHint | null {
  return findSign(SIGNS, text)
}

/** Returns the fault of a value whose sign would be ignored; null if it has none. */
export function valueSign(text: string): SignHint | null {
  return findSign(VALUE_SIGNS, text)
}

/** A field’s condition as other languages write it, as it is written here: `severity>high` is `severity:>high`. */
export function fixComparedField(text: string): string | null {
  const [, name = '', sign = '', value = ''] = COMPARED.exec(text) ?? []
  const field = findFieldName(name)
  if (!field) return null
  const compared = field === 'severity' && /^[<>]/.test(sign) ? sign : ''
  return `${sign === '!=' ? '-' : ''}${field}:${compared}${value}`
}

/** A field behind a sign of another language, as it begins here: `!country:` is `-country:`. `to` is where its name ends. */
export function fixLedField(text: string): { to: number; fix: string } | null {
  const [led = '', signs = '', name = ''] = LED.exec(text) ?? []
  if (!findFieldName(name)) return null
  return { to: led.length, fix: `${signs.includes('!') ? '-' : ''}${name}:` }
}

function findSign(signs: typeof SIGNS, text: string): SignHint | null {
  const [, hint] = signs.find(([pattern]) => pattern.test(text)) ?? []
  return hint?.(text) ?? null
}
