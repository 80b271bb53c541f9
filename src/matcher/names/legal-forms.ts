const setOf = (words: string) => new Set(words.split(' '))

/** Legal forms as they are read: without punctuation, single letters joined. They stand behind a name. */
const BEHIND = setOf(
  `ltd limited llc llp lllp pllc plc inc incorporated corp corporation co company lp pc pa gmbh mbh ag kg kgaa ohg gbr ug ev eg ek se sa sas sasu sarl eurl scop snc sca scs scrl sprl bvba cvba asbl vzw spa srl srls sapa sl slu sll slp sau bv nv vof cv rl sapi ab hb asa as aps ivs oy oyj ab ry pty pte pvt private proprietary kk gk yk lda ltda eireli me sro spol vos zrt kft nyrt bt doo dd ad ead eood ood jsc ojsc cjsc pjsc pao oao zao ooo ao too tov sp zoo spzoo spj spk sdn bhd tbk fze fzco fzc wll saog qsc psc ltee ltd sti ou uab sia oo hf ehf rt holding holdings group gruppe groupe grupo gruppo gruppen koncern ооо оао зао пао ао тов ип`,
)
/** They stand before a name. */
const BEFORE = setOf(
  'pt ooo oao zao pao jsc ojsc pjsc tov uab sia ab as grupo gruppo groupe ооо оао зао пао ао тов ип',
)
/** Parts of "S. de R.L. de C.V." and "GmbH und Co.", which are no legal form alone. */
const BETWEEN = setOf('de s i')
const SPACELESS_FORMS =
  /株式会社|有限会社|合同会社|股份有限公司|有限責任公司|有限责任公司|有限公司|集团|集團|주식회사|유한회사|\(株\)|（株）|㈱|\(주\)|㈜/gu

/** A text with blanks in the positions of Chinese, Japanese and Korean legal forms, which no space parts from the name. */
export function blankSpacelessForms(text: string): string {
  return /[\u1100-\uffff]/u.test(text)
    ? text.replace(SPACELESS_FORMS, (form) => ' '.repeat(form.length))
    : text
}

/** The words of a name without its legal forms; the first one if it consists of nothing else. */
export function withoutLegalForms<T extends { text: string }>(words: readonly T[]): readonly T[] {
  let end = words.length
  for (let at = end - 1; at >= 0; at--) {
    const word = words[at]?.text ?? ''
    if (BEHIND.has(word)) end = at
    else if (end !== at + 1 || end === words.length || !BETWEEN.has(word)) break
    else end = at
  }
  let start = 0
  while (start < end && BEFORE.has(words[start]?.text ?? '')) start++
  if (start < end) return words.slice(start, end)
  return words.slice(0, Math.max(end, 1))
}
