/** Longer than a release lasts, and shorter than the year that RFC 9116 advises. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000

/** RFC 9116: whom to tell of a weakness, until when that holds, and where it stands. */
export function writeSecurityText(contact: string, publicUrl: URL, now = new Date()): string {
  const expires = new Date(now.getTime() + VALID_MS).toISOString()
  const canonical = new URL('/.well-known/security.txt', publicUrl).href
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${canonical}\nPreferred-Languages: en\n`
}
