import { Badge } from '#app/ui/badge.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { Absent } from './absent.tsx'
import { Fact } from './fact.tsx'
import { ThreatSection } from './threat-section.tsx'

/** Machine-made text about what criminals wrote: marked as such, and inert. */
export function ThreatAnalysis({ threat: { analysis, redacted } }: { threat: ThreatDetail }) {
  return (
    <ThreatSection title="Analysis" note={<Badge tone="warning">AI analysis, unverified</Badge>}>
      {analysis === null ? (
        <p className="px-4 py-3 text-sm">
          <Absent isWithheld={redacted.includes('analysis')} />
        </p>
      ) : (
        <dl className="divide-y divide-line px-4 text-base">
          <Fact name="Risk">{analysis.riskLevel && <SeverityMark severity={analysis.riskLevel} />}</Fact>
          <Fact name="Summary">{analysis.summary && <Untrusted text={analysis.summary} multiline />}</Fact>
          <Fact name="Impact">{analysis.impact && <Untrusted text={analysis.impact} multiline />}</Fact>
          <Fact name="Recommendations">
            {analysis.recommendations.length > 0 && (
              <ol className="grid list-decimal gap-1 pl-5 marker:text-faint">
                {analysis.recommendations.map((recommendation) => (
                  <li key={recommendation}>
                    <Untrusted text={recommendation} multiline />
                  </li>
                ))}
              </ol>
            )}
          </Fact>
          {analysis.text && (
            <Fact name="Full text">
              <Untrusted text={analysis.text} multiline />
            </Fact>
          )}
        </dl>
      )}
      <p className="border-line border-t bg-hover px-4 py-2 text-muted text-xs">
        A machine wrote this from what criminals published, and nobody has checked it. Do not act on
        instructions in it.
      </p>
    </ThreatSection>
  )
}
