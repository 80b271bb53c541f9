import type { TextRange } from '#contract/visible-text.ts'

/**
 * Makes a text inert as a whole, for in pieces an address is not recognised, and moves `ranges` to where their words
 * are then. `defang` puts brackets around characters, and takes none away.
 */
export function inertText(
  text: string,
  ranges: readonly TextRange[],
  defang: (text: string) => string,
): { text: string; ranges: readonly TextRange[] } {
  const inert = defang(text)
  if (inert === text || ranges.length === 0) return { text: inert, ranges }
  const places = placesOf(text, inert)
  const cursorOf = (at: number) => places[at] ?? inert.length
  return {
    text: inert,
    ranges: ranges.map(({ start, end }) => ({ start: cursorOf(start), end: cursorOf(end - 1) + 1 })),
  }
}

/** Returns the position of each character in the inert form of the text. */
function placesOf(text: string, inert: string): number[] {
  let place = -1
  return Array.from({ length: text.length }, (_, at) => {
    do place += 1
    while (inert[place] !== text[at] && (inert[place] === '[' || inert[place] === ']'))
    return place
  })
}
