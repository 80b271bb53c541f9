import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Indicator } from '#app/ui/indicator.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { RedactableField, ThreatDetail } from '#contract/bff/threat.ts'
import { CountryLabel } from './country-label.tsx'
import { Fact } from './fact.tsx'
import { FeedLink, LINK } from './feed-link.tsx'
import { NO_NAME } from './row-link.tsx'
import { SET_NAMES } from './set-names.ts'
import { ThreatSection } from './threat-section.tsx'

const NAME_MAX_LENGTH = 200

/** What the record says in single values, but for those beside its title. */
export function ThreatFacts({ threat }: { threat: ThreatDetail }) {
  const facts = listFacts(threat)
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
          <code className="break-all font-mono text-xs">{threat.id}</code>
          <span className="text-muted text-xs">
            from {threat.records.map(({ set }) => SET_NAMES[set]).join(' and ')}
          </span>
        </Fact>
      </dl>
      {absent.length > 0 && (
        <p className="border-line border-t px-4 py-2.5 text-faint text-xs">
          Not given:{' '}
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
      values: organizations.map((victim) => (
        <FeedLink key={victim} filter={{ q: victim }}>
          {text(victim)}
        </FeedLink>
      )),
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

function ActorLink({ name, children }: { name: string; children: ReactNode }) {
  if (NO_NAME.test(name)) return children
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
