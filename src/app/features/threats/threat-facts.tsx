import { Indicator } from '#app/ui/indicator.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { CountryLabel } from './country-label.tsx'
import { Fact } from './fact.tsx'
import { SET_NAMES } from './set-names.ts'
import { ThreatSection } from './threat-section.tsx'

const NAME_MAX_LENGTH = 200

/** What the record says in single values. */
export function ThreatFacts({ threat }: { threat: ThreatDetail }) {
  const { publishedAt, sourceUrl, redacted } = threat
  const names = (values: readonly string[]) =>
    values.map((value) => <Untrusted key={value} text={value} maxLength={NAME_MAX_LENGTH} />)
  return (
    <ThreatSection title="Facts">
      <dl className="divide-y divide-line px-4 text-sm">
        <Fact name="Severity">{threat.severity && <SeverityMark severity={threat.severity} />}</Fact>
        <Fact name="Category">{names(threat.category === null ? [] : [threat.category])}</Fact>
        <Fact name="Published">
          {publishedAt && (
            <>
              <Time at={publishedAt} />{' '}
              <span className="text-muted">
                (<Time at={publishedAt} show="age" />)
              </span>
            </>
          )}
        </Fact>
        <Fact name="Actors">{names(threat.actors)}</Fact>
        <Fact name="Victims" isWithheld={redacted.includes('organizations')}>
          {names(threat.organizations)}
        </Fact>
        <Fact name="Victims’ domains" isWithheld={redacted.includes('domains')}>
          {threat.domains.map((domain) => (
            <Indicator key={domain} value={domain} />
          ))}
        </Fact>
        <Fact name="Countries">
          {threat.countries.map((country) => (
            <CountryLabel key={country.code ?? country.name} country={country} />
          ))}
        </Fact>
        <Fact name="Industries">{names(threat.industries)}</Fact>
        <Fact name="Source address" isWithheld={redacted.includes('sourceUrl')}>
          {sourceUrl !== null && <Indicator value={sourceUrl} />}
        </Fact>
        <Fact name="Record">
          <code className="break-all font-mono text-xs">{threat.id}</code>
          <span className="text-muted text-xs">
            from the {threat.records.map(({ set }) => SET_NAMES[set]).join(' and the ')}
          </span>
        </Fact>
      </dl>
    </ThreatSection>
  )
}
