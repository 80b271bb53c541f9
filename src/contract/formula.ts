/** What a spreadsheet takes for a formula (OWASP ASVS 5.0, 1.2.10), and the full-width signs that some take for the same. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0]/

/** The text of a cell, led by an apostrophe where it would be run. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
