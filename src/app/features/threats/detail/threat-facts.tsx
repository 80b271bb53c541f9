import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { CopyForms } from '#app/ui/copy-forms.tsx'
import { Indicator } from '#app/ui/indicator.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { RedactableField, ThreatDetail } from '#contract/bff/threat.ts'
import { defangText } from '#contract/defang.ts'
import { describeAbsence } from '../absent.tsx'
import { CountryLabel } from '../country-label.tsx'
import { hasPage } from '../row-link.tsx'
import { Fact } from './fact.tsx'
import { FeedLink, LINK } from './feed-link.tsx'
import { SET_NAMES } from './set-names.ts'
import { type ThreatPartProps, ThreatSection } from './threat-section.tsx'

const NAME_MAX_LENGTH = 200
const ID_MAX_LENGTH = 300

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
          {missing?.state === 'reading' ? 'Asking the source for' : `${describeAbsence(missing)}:`}{' '}
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
