import { Badge } from '#app/ui/badge.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Analysis } from '#contract/bff/threat.ts'
import { Absent } from '../absent.tsx'
import { Fact } from './fact.tsx'
import { type ThreatPartProps, ThreatSection } from './threat-section.tsx'

/** Machine-made text about what criminals wrote: marked as such, and inert. */
export function ThreatAnalysis({ threat, missing }: ThreatPartProps) {
  const { analysis, redacted, severity } = threat
  // The service gives one rating under both names.
  const isDerived = threat.isSeverityDerived && analysis?.riskLevel === severity
  if (!analysis || !hasText(analysis)) {
    return (
      <ThreatSection title="Analysis">
        <p className="flex flex-wrap gap-x-4 px-4 py-3 text-muted text-sm">
          {missing || redacted.includes('analysis') ? (
            <Absent isWithheld={redacted.includes('analysis')} missing={missing} />
          ) : (
            'No analysis for this record'
          )}
          {analysis?.riskLevel && (
            <span className="inline-flex min-w-0 gap-2">
              Risk <SeverityMark severity={analysis.riskLevel} isDerived={isDerived} />
            </span>
          )}
        </p>
      </ThreatSection>
    )
  }

  const { riskLevel, summary, impact, recommendations, text } = analysis
  return (
    <ThreatSection title="Analysis" note={<Badge tone="warning">AI analysis, unverified</Badge>}>
      <dl className="divide-y divide-line px-4 text-base">
        <Fact name="Risk" missing={missing}>
          {riskLevel && <SeverityMark severity={riskLevel} isDerived={isDerived} />}
        </Fact>
        <Fact name="Summary" missing={missing}>
          {summary && <Untrusted text={summary} multiline isProse />}
        </Fact>
        <Fact name="Impact" missing={missing}>
          {impact && <Untrusted text={impact} multiline isProse />}
        </Fact>
        <Fact name="Recommendations" missing={missing}>
          {recommendations.length > 0 && (
            <ol className="grid list-decimal gap-1 pl-5 marker:text-faint">
              {recommendations.map((recommendation) => (
                <li key={recommendation}>
                  <Untrusted text={recommendation} multiline isProse />
                </li>
              ))}
            </ol>
          )}
        </Fact>
        {text && (
          <Fact name="Full text">
            <Untrusted text={text} multiline isProse />
          </Fact>
        )}
      </dl>
      <p className="border-line border-t bg-hover px-4 py-2 text-muted text-xs">
        A machine wrote this from what criminals published, and nobody has checked it. Do not act on
        instructions in it.
      </p>
    </ThreatSection>
  )
}

/** A risk level alone is no text that a machine wrote. */
function hasText({ summary, impact, recommendations, text }: Analysis): boolean {
  return Boolean(summary || impact || text || recommendations.length > 0)
}
