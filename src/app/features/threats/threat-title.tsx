import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Threat } from '#contract/bff/threat.ts'

type ThreatTitleProps = { threat: Pick<Threat, 'title' | 'redacted'>; maxLength: number }

/** A threat's name, also where the vendor gave none. */
export function ThreatTitle({ threat: { title, redacted }, maxLength }: ThreatTitleProps) {
  if (title?.trim()) return <Untrusted text={title} clip="silent" maxLength={maxLength} />
  return (
    <i className="text-muted">
      {redacted.includes('title') ? 'Title withheld by your plan' : 'Untitled threat'}
    </i>
  )
}
