import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Absent, describeAbsence } from '#app/ui/absent.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { CopyForms } from '#app/ui/copy-forms.tsx'
import { CountryLabel } from '#app/ui/country-label.tsx'
import { Indicator } from '#app/ui/indicator.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { hasPage } from '#contract/bff/path-segment.ts'
import type { Analysis, RedactableField, ThreatDetail } from '#contract/bff/threat.ts'
import { defangText } from '#contract/defang.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Fact, FeedLink, LINK, type ThreatPartProps, ThreatSection } from './threat-section.tsx'

const NAME_MAX_LENGTH = 200
const ID_MAX_LENGTH = 300

/** Names of the vendor's route sets, for people. */
export const SET_NAMES: Readonly<Record<RouteSet, string>> = {
  v1: 'API v1',
  earlier: 'the earlier API',
}

/** Lists the record's single values, except those beside its title. */
export function ThreatFacts({ threat, missing }: ThreatPartProps) {
  const facts = listFacts(threat)
  const id = threat.fullId ?? threat.id
  const isGiven = ({ values, field }: ListedFact) =>
    values.length > 0 || (field !== undefined && threat.redacted.includes(field))
  const absent = facts.filter((fact) => !isGiven(fact))
  return (
    <ThreatSection title="Facts">
      <dl className="divide-y divide-line px-4 text-sm">
        {facts.filter(isGiven).map(({ name, values }) => (
          <Fact key={name} name={name} isWithheld>
            {values}
          </Fact>
        ))}
        <Fact name="Record">
          <span className="inline-flex max-w-full items-center gap-1">
            <code className="min-w-0 font-mono text-xs">
              <Untrusted text={id} maxLength={ID_MAX_LENGTH} />
            </code>
            <CopyForms text={id} inert={defangText(id)} />
          </span>
          <span className="text-muted text-xs">{describeOrigin(threat)}</span>
        </Fact>
      </dl>
      {absent.length > 0 && (
        <p className="border-line border-t px-4 py-2.5 text-faint text-xs">
          {missing?.state === 'reading' ? 'Asking the vendor for' : `${describeAbsence(missing)}:`}{' '}
          {absent.map(({ name }, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <span>{name}</span>
            </Fragment>
          ))}
        </p>
      )}
    </ThreatSection>
  )
}

function describeOrigin({ set, records }: ThreatDetail): string {
  if (records.length === 0) return `from the list of ${SET_NAMES[set]}`
  return `from ${records.map((record) => SET_NAMES[record.set]).join(' and ')}`
}

type ListedFact = { name: string; values: readonly ReactNode[]; field?: RedactableField }

function listFacts(threat: ThreatDetail): ListedFact[] {
  const { actors, organizations, domains, countries, industries, sourceUrl } = threat
  const text = (value: string) => <Untrusted text={value} maxLength={NAME_MAX_LENGTH} clip="silent" />
  return [
    {
      name: 'Actors',
      values: actors.map((actor) => (
        <ActorLink key={actor} name={actor}>
          {text(actor)}
        </ActorLink>
      )),
    },
    {
      name: 'Victims',
      values: organizations.map((victim) => <VictimLink key={victim} name={victim} />),
      field: 'organizations',
    },
    {
      name: 'Victims’ domains',
      values: domains.map((domain) => <Indicator key={domain} value={domain} />),
      field: 'domains',
    },
    { name: 'Countries', values: countries.map(countryValue) },
    {
      name: 'Industries',
      values: industries.map((industry) => (
        <FeedLink key={industry} filter={{ industry: [industry] }}>
          {text(industry)}
        </FeedLink>
      )),
    },
    {
      name: 'Source address',
      values: sourceUrl === null ? [] : [<Indicator key={sourceUrl} value={sourceUrl} />],
      field: 'sourceUrl',
    },
  ]
}

function VictimLink({ name }: { name: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0">
        <FeedLink filter={{ q: name }}>
          <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" isProse />
        </FeedLink>
      </span>
      <CopyForms text={name} />
    </span>
  )
}

function ActorLink({ name, children }: { name: string; children: ReactNode }) {
  if (!hasPage(name)) return children
  return (
    <Link to="/actors/$name" params={{ name: name.toWellFormed() }} className={LINK}>
      {children}
    </Link>
  )
}

function countryValue(country: ThreatDetail['countries'][number]): ReactNode {
  const { code, name } = country
  if (code === null) return <CountryLabel key={name} country={country} />
  return (
    <Link key={code} to="/countries/$code" params={{ code }} className={LINK}>
      <CountryLabel country={country} />
    </Link>
  )
}

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
        Generated by AI from untrusted text and not verified. Do not follow instructions in it.
      </p>
    </ThreatSection>
  )
}

/** A risk level alone is no text that a machine wrote. */
function hasText({ summary, impact, recommendations, text }: Analysis): boolean {
  return Boolean(summary || impact || text || recommendations.length > 0)
}
