import { normaliseText } from '../normalise-text.ts'

const LEGAL_FORMS = new Set(
  'ltd limited llc llp inc incorporated corp corporation co company plc gmbh ag kg kgaa se sa sas sarl srl spa bv nv ab as asa aps oy oyj pty pte pvt kk lda ltda sl cv sro zoo doo ooo jsc pjsc group holding holdings the and'.split(
    ' ',
  ),
)

/** The words of an organisation's name that distinguish it: without case, accents, punctuation, legal forms and articles. */
export function normaliseName(name: string): string {
  const words = normaliseText(name).split(' ').filter(Boolean)
  const own = words.filter((word) => !LEGAL_FORMS.has(word))
  return (own.length > 0 ? own : words).join(' ')
}
