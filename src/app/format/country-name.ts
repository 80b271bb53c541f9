let names: Intl.DisplayNames | undefined

/** The English name of an alpha-2 code; the code itself where there is none. */
export function countryName(code: string): string {
  try {
    names ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    return names.of(code) ?? code
  } catch {
    return code
  }
}
