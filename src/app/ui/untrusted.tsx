import { Fragment, useState } from 'react'
import { clipText } from '#app/format/clip-text.ts'
import { count } from '#app/format/count.ts'
import { describeLookAlike, findLookAlikes } from '#app/format/look-alikes.ts'
import { defang, defangProse, defangText } from '#contract/defang.ts'
import { type TextPiece, type TextRange, visiblePieces } from '#contract/visible-text.ts'
import { Icon } from './icon.tsx'

export type UntrustedProps = {
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
  /** An address as a whole. */
  isAddress?: boolean
  /** Leaves addresses live: only where the user requested the unchanged record. */
  isRaw?: boolean
  /** Direction of a sentence of Lantern's own that quotes third-party text. Otherwise the first strong letter decides. */
  dir?: 'ltr'
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
  isAddress = false,
  isRaw = false,
  dir,
}: UntrustedProps) {
  const [isWhole, setIsWhole] = useState(false)
  if (text.trim() === '') return <span className="text-muted italic">(blank)</span>
  const isLong = text.length > maxLength
  const shown = isWhole ? text : clipText(text, maxLength)
  const toInert = isRaw ? leaveAsIs : isAddress ? defang : isProse ? defangProse : defangText
  const { inert, marked, warningAt } = markText(shown, highlights, toInert)

  return (
    <>
      <bdi dir={dir} className={classOf(shown, multiline)}>
        {visiblePieces(inert, marked, [...warningAt.keys()]).map((piece) => (
          <Fragment key={piece.start}>
            <Piece piece={piece} />
            <Warning words={warningAt.get(piece.start + piece.text.length)} />
          </Fragment>
        ))}
        {shown.length < text.length && '…'}
      </bdi>
      {isLong && clip === 'ask' && (
        <button
          type="button"
          className="ml-1 min-h-0 min-w-0 rounded-sm font-medium text-accent text-xs hover:underline"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </>
  )
}

function leaveAsIs(text: string): string {
  return text
}

/** A text without live addresses, with what is to be marked in it, and the words that go after look-alikes. */
function markText(text: string, highlights: readonly TextRange[], toInert: (text: string) => string) {
  const lookAlikes = findLookAlikes(text)
  const { text: inert, ranges } = inertText(text, [...highlights, ...lookAlikes], toInert)
  const ends = ranges.slice(highlights.length).map(({ end }) => end)
  return {
    inert,
    marked: ranges.slice(0, highlights.length),
    warningAt: new Map(lookAlikes.map((found, at) => [ends[at] ?? 0, defang(describeLookAlike(found))])),
  }
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

/** Beside a domain that is not what it looks like. */
function Warning({ words }: { words: string | undefined }) {
  if (words === undefined) return null
  return (
    <>
      {' '}
      <span className="mr-1 inline-flex items-center gap-1 rounded-sm border border-medium/50 bg-medium/10 px-1 align-baseline font-normal font-sans text-2xs text-medium">
        <Icon name="alert" className="size-3" />
        {words}
      </span>
    </>
  )
}

/**
 * Makes a text inert as a whole, for in pieces an address is not recognised, and moves `ranges` to where their words
 * are then. `defang` puts brackets around characters, and takes none away.
 */
function inertText(
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
