import type { Threat } from '#contract/bff/threat.ts'

/** The head of a group, as a line of the list. */
export type GroupHead = {
  /** Apart from all ids of threats, and from the other heads. */
  id: string
  key: string
  label: string
  /** Null where it is not known. */
  count: number | null
  isClosed: boolean
  /** How many threats stand above it in the list. */
  above: number
}

export type FeedLine = Threat | GroupHead

export function isGroupHead(line: FeedLine | undefined): line is GroupHead {
  return line !== undefined && 'isClosed' in line
}
