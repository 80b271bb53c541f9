/** Matches characters that a spreadsheet interprets as a formula (OWASP ASVS 5.0, 1.2.10), full-width ones included. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0]/

/** The text of a cell, led by an apostrophe where it would be run. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
