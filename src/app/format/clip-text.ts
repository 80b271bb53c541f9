/** The beginning of a text, never ending in half a character. */
export function clipText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return text.slice(0, isHalf ? maxLength - 1 : maxLength)
}
