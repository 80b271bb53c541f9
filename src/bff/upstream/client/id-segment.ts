const SEGMENT_MAX_LENGTH = 4_096
/** A server or a proxy may take these for a step, for the parameters of a segment, or for the end of a line. */
const STEP = /(?:^|[/\\])\.{1,2}(?:$|[/\\;])/
const CONTROL = /\p{Cc}/u

/**
 * An id as one segment of the vendor's path; null where no path can carry it. Criminals write ids, and not every server
 * leaves a segment encoded until it has chosen a route: what would be a step anywhere after decoding is never sent.
 */
export function idSegment(id: string): string | null {
  if (id === '' || id.length > SEGMENT_MAX_LENGTH || !id.isWellFormed()) return null
  const decoded = decodeWhole(id)
  if (CONTROL.test(decoded) || STEP.test(decoded)) return null
  const segment = encodeURIComponent(id)
  return segment.length <= SEGMENT_MAX_LENGTH ? segment : null
}

/** Decodes a text until it does not change, as a chain of servers might. */
function decodeWhole(text: string): string {
  for (let before = text; ; ) {
    const decoded = before.replace(/%[0-7][\da-f]/gi, (sign) =>
      String.fromCharCode(Number.parseInt(sign.slice(1), 16)),
    )
    if (decoded === before) return decoded
    before = decoded
  }
}
