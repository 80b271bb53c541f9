import type { TextRange } from '#contract/visible-text.ts'
import { Untrusted } from './untrusted.tsx'

type ThreatTitleProps = {
  threat: { title: string | null; redacted: readonly string[] }
  maxLength: number
  highlights?: readonly TextRange[] | undefined
}

/** A threat's name, also where the vendor gave none. */
export function ThreatTitle({ threat: { title, redacted }, maxLength, highlights }: ThreatTitleProps) {
  if (title?.trim())
    return <Untrusted text={title} highlights={highlights} clip="silent" maxLength={maxLength} isProse />
  return (
    // The slant of the last letter reaches beyond the box of the text, which a cut line would cut.
    <i className="pr-1 text-muted">
      {redacted.includes('title') ? 'Title withheld by your plan' : 'Untitled threat'}
    </i>
  )
}
