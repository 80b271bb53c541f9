import { useState } from 'react'
import { clipText } from '#app/format/clip-text.ts'
import { count } from '#app/format/count.ts'
import { inertText } from '#app/format/inert-text.ts'
import { type TextPiece, type TextRange, visiblePieces } from '#app/format/visible-text.ts'
import { defangProse, defangText } from '#contract/defang.ts'

type UntrustedProps = {
  text: string
  /** Ranges of the text to mark. */
  highlights?: readonly TextRange[]
  /** Keeps line breaks; otherwise they are spaces. */
  multiline?: boolean
  /** Longer text is cut, with a button to show all. In `clip="silent"` places another page shows the rest. */
  maxLength?: number
  clip?: 'ask' | 'silent'
  /** Running text: bare domains in it are defanged as well. A name may look like one, and stays. */
  isProse?: boolean
  /** Leaves addresses live: only where the reader asked for the record itself. */
  isRaw?: boolean
}

const MAX_LENGTH = 1200
const STACKED_MARKS = /\p{M}{3}/u

/** All text of third parties goes through here: kept apart from its surroundings, no address in it live, and nothing in it acts unseen. */
export function Untrusted({
  text,
  highlights = [],
  multiline = false,
  maxLength = MAX_LENGTH,
  clip = 'ask',
  isProse = false,
  isRaw = false,
}: UntrustedProps) {
  const [isWhole, setIsWhole] = useState(false)
  const isLong = text.length > maxLength
  const shown = isWhole ? text : clipText(text, maxLength)
  const inert = isRaw
    ? { text: shown, ranges: highlights }
    : inertText(shown, highlights, isProse ? defangProse : defangText)

  return (
    <>
      <bdi className={classOf(shown, multiline)}>
        {visiblePieces(inert.text, inert.ranges).map((piece) => (
          <Piece key={piece.start} piece={piece} />
        ))}
        {shown.length < text.length && '…'}
      </bdi>
      {isLong && clip === 'ask' && (
        <button
          type="button"
          className="ml-1 rounded-sm font-medium text-accent text-xs hover:underline"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </>
  )
}

/** Marks stacked without end would paint over their neighbours: such text is clipped to its own lines. */
function classOf(text: string, multiline: boolean): string {
  const flow = multiline ? 'whitespace-pre-wrap ' : ''
  const box = STACKED_MARKS.test(text) ? 'inline-block max-w-full overflow-clip align-bottom ' : ''
  return `${flow}${box}wrap-anywhere`
}

function Piece({ piece: { text, isHighlighted, sign } }: { piece: TextPiece }) {
  if (sign) return <Sign sign={sign} />
  return isHighlighted ? <mark className="rounded-sm bg-accent/20 text-ink">{text}</mark> : text
}

function Sign({ sign: { code, name, times } }: { sign: NonNullable<TextPiece['sign']> }) {
  const label = `${times > 1 ? `${count(times)} × ` : ''}${name}, ${code}`
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="mx-px rounded-sm border border-medium/50 bg-medium/10 px-1 font-mono text-2xs text-medium"
    >
      {times > 1 ? `${code} ×${count(times)}` : code}
    </span>
  )
}
