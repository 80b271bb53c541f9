const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** The English name of an alpha-2 code; the code itself where there is none. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
