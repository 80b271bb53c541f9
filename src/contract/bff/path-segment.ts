/** As long as a filter’s value may be. */
export const ACTOR_NAME_MAX_LENGTH = 512

/** Browsers take these for steps of a path, however they are encoded; a tilde before them makes them names. */
const STEP = /^~*\.{1,2}$/
const CARRIED_STEP = /^~+\.{1,2}$/

/** Any text as a parameter of a path carries it, before it is encoded. */
export function carryText(text: string): string {
  return STEP.test(text) ? `~${text}` : text
}

/** The text that a parameter of a path carries. */
export function readCarriedText(carried: string): string {
  return CARRIED_STEP.test(carried) ? carried.slice(1) : carried
}

/** Any text as one segment of a path of ours: an id or a name that criminals chose. */
export function pathSegment(text: string): string {
  return encodeURIComponent(carryText(text.toWellFormed()))
}

/** True for a name that the address of a page can hold. */
export function hasPage(name: string): boolean {
  return name.trim() !== '' && name.length <= ACTOR_NAME_MAX_LENGTH
}
