import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { Absent } from './absent.tsx'
import { ThreatSection } from './threat-section.tsx'

/** The post itself; where there is none, its excerpt. */
export function ThreatContent({ threat: { content, excerpt, redacted } }: { threat: ThreatDetail }) {
  return (
    <ThreatSection title="Content" note={<span className="text-faint text-xs">as the source sent it</span>}>
      <div className="grid gap-3 px-4 py-3 text-base">
        {content === null ? (
          <p className="text-sm">
            <Absent isWithheld={redacted.includes('content')} />
          </p>
        ) : (
          <p className="max-w-[80ch]">
            <Untrusted text={content} multiline isProse />
          </p>
        )}
        {excerpt !== null && content === null && (
          <p className="max-w-[80ch]">
            <span className="mb-1 block font-medium text-faint text-xs">Excerpt</span>
            <Untrusted text={excerpt} multiline isProse />
          </p>
        )}
      </div>
    </ThreatSection>
  )
}
