/** Returns the size of 1rem in pixels. It grows with the user's text size. */
export function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}
