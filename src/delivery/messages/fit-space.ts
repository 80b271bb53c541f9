export type Space = {
  threats: number
  /** The length of a title; names and words have half of it. */
  textLength: number
}

/** Titles become shorter first, then threats fewer: their number, and a link to all, remain. */
const SPACES: readonly Space[] = [
  { threats: 5, textLength: 300 },
  { threats: 5, textLength: 150 },
  { threats: 3, textLength: 150 },
  { threats: 2, textLength: 100 },
  { threats: 1, textLength: 60 },
  { threats: 0, textLength: 60 },
]

/** The most of a message that a channel takes. The last try is taken whatever its size. */
export function fitSpace(write: (space: Space) => string, fits: (written: string) => boolean): string {
  let written = ''
  for (const space of SPACES) {
    written = write(space)
    if (fits(written)) break
  }
  return written
}
