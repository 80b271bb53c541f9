import { createHash } from 'node:crypto'
import type { Threat } from '#contract/bff/threat.ts'

export const ANCHORS_COUNT = 5

/** Anchors travel in cursors, which have no room for the longest of ids. */
const ANCHOR_MAX_BYTES = 128

/** The end of what a reader has been given: its last ids, and when the very last was published; null where that says nothing. */
export type ListPosition = { anchors: readonly string[]; time: string | null }

export type Continuation =
  | { kind: 'found'; threats: readonly Threat[] }
  /** The page lies wholly before the position: newer records have pushed it further down. */
  | { kind: 'ahead' }
  /** The page lies wholly after the position: records above it are gone, and some here may have been passed over. */
  | { kind: 'behind'; threats: readonly Threat[] }

/**
 * Finds, in a page of a list that moves while it is read, where the reader left off. Newest first; where a list is in no
 * order, no time says where a page lies, and what is not known is taken for what follows.
 */
export function findContinuation(
  { anchors, time }: ListPosition,
  page: readonly Threat[],
  isUnordered = false,
): Continuation {
  const lastKnown = page.findLastIndex(({ id }) => anchors.includes(anchorOf(id)))
  if (anchors.length === 0 || lastKnown >= 0) return { kind: 'found', threats: page.slice(lastKnown + 1) }
  if (isUnordered) return { kind: 'found', threats: page }
  if (time === null) return { kind: 'behind', threats: page }

  // A record without a time sorts before any other.
  const first = page.at(0)?.publishedAt ?? ''
  const last = page.at(-1)?.publishedAt ?? ''
  if (last >= time) return { kind: 'ahead' }
  if (first >= time) {
    // The known records are gone. Those of the same time may have been given before: better twice than never.
    const threats = page.filter(({ publishedAt }) => publishedAt === null || publishedAt <= time)
    return { kind: 'found', threats }
  }
  return { kind: 'behind', threats: page }
}

/** The ids that mark the position after these threats. */
export function anchorsAfter(anchors: readonly string[], threats: readonly Threat[]): string[] {
  return [...anchors, ...threats.map(({ id }) => anchorOf(id))].slice(-ANCHORS_COUNT)
}

/** Returns the form of an id among the anchors. */
export function anchorOf(id: string): string {
  return Buffer.byteLength(id) <= ANCHOR_MAX_BYTES ? id : createHash('sha256').update(id).digest('base64url')
}
