import { countryName } from '#contract/country.ts'
import { cutText } from '#contract/cut-text.ts'
import { DAY_MS } from '#contract/duration.ts'
import { SEVERITIES, type Severity } from '#contract/severity.ts'
import type { EvidenceKind } from '#service/evidence/evidence-name.ts'
import { createRandom, type Random } from '#service/random.ts'
import { ruleSeverity } from '#service/threats/severity-rule.ts'
import type { ThreatRecord } from '#service/threats/threat-record.ts'
import { DEMO_ACTORS, type DemoCategory } from './demo-actors.ts'
import { DEMO_COUNTRIES } from './demo-countries.ts'
import { type DemoOrganization, drawOrganization } from './demo-organization.ts'
import { DEMO_TEXTS, type Scene } from './demo-texts.ts'

const DAYS = 120
const BURST_FACTOR = 9
/** Something always happened lately, even on a Sunday night. */
const LATELY_DAYS = 0.1

// Sunday first: crime keeps office hours.
const WEEKDAY_WEIGHTS = [0.45, 0.95, 1, 1, 0.95, 0.85, 0.55]
const BUSY_HOURS_UTC = { from: 7, to: 19 }
const DEMO_SOURCE = 'lantern-demo'
export const DEMO_NOTE = 'Generated demo record.'

const RECORD_COUNT = 5000
const EXCERPT_MAX_LENGTH = 160

// The shares of a week on a real feed, near enough.
const CATEGORIES: readonly [DemoCategory, ...DemoCategory[]] = [
  'Other',
  ...fill('DDoS', 3),
  ...fill('Initial Access', 3),
  ...fill('Data Breach', 5),
  ...fill('Ransomware', 9),
]

/** Invented threats of the 120 days up to now: the same records for the same now, the same texts always. */
export function generateDemo(now: Date): ThreatRecord[] {
  const timesByActor = new Map<string, () => Date>()
  return Array.from({ length: RECORD_COUNT }, (_, index) => {
    const record = generateRecord(index)
    const [actor = 'nobody'] = record.threatActors
    const drawTime = timesByActor.get(actor) ?? createDemoTimes(now, timesByActor.size + 1)
    timesByActor.set(actor, drawTime)
    return { ...record, publishedAt: drawTime().toISOString(), ...HOSTILE_RECORDS[index] }
  })
}

function generateRecord(index: number): Omit<ThreatRecord, 'publishedAt'> {
  const random = createRandom(index + 1)
  const category = random.pick(CATEGORIES)
  const actor = drawActor(random, category)
  const organization = drawOrganization(random)
  const texts = DEMO_TEXTS[category]
  const scene = drawScene(random, actor ?? 'An unnamed actor', organization)
  // A name such as `Acme Inc.` ends a sentence with its own full stop.
  const summary = random.pick(texts.summaries)(scene).replace(/\.\.$/, '.')
  const content = [random.pick(texts.openings)(scene), random.pick(texts.details)(scene), DEMO_NOTE]

  return {
    source: DEMO_SOURCE,
    sourceId: `demo-${index + 1}`,
    title: random.pick(texts.titles)(scene),
    summary,
    excerpt: cutText(summary, EXCERPT_MAX_LENGTH),
    content: content.join('\n\n'),
    category,
    severity: drawSeverity(random, category, organization),
    countries: drawCountries(random, organization),
    threatActors: actor === null ? [] : [actor],
    industries: [organization.industry],
    organizations: [organization.name],
    domains: random.chance(0.8) ? [organization.domain] : [],
    sourceUrl: drawSourceUrl(random, actor, index),
    evidence: drawEvidence(random, category),
    analysis: {
      summary: `${summary} ${DEMO_NOTE}`,
      impact: random.pick(texts.impacts)(scene),
      recommendations: random.sample(texts.recommendations, random.between(2, 4)),
    },
    isDemo: true,
  }
}

function drawActor(random: Random, category: DemoCategory): string | null {
  const isNamed = random.chance(category === 'Data Breach' || category === 'Other' ? 0.8 : 0.97)
  return isNamed ? random.pickSkewed(DEMO_ACTORS[category]) : null
}

function drawScene(random: Random, actor: string, organization: DemoOrganization): Scene {
  return {
    actor,
    organization,
    place: countryName(organization.country) ?? organization.country,
    gigabytes: random.between(3, 900),
    records: (random.between(4, 4000) * 1000).toLocaleString('en'),
    price: `$${(random.between(3, 120) * 100).toLocaleString('en')}`,
    hosts: random.between(40, 3000),
    days: random.between(3, 21),
  }
}

/** Mostly by the rule, now and then a step beside it, as sources judge. */
function drawSeverity(random: Random, category: DemoCategory, { industry }: DemoOrganization): Severity {
  const severity = ruleSeverity(category, [industry])
  const step = random.pick([0, 0, 0, -1, 1])
  return SEVERITIES[SEVERITIES.indexOf(severity) + step] ?? severity
}

function drawCountries(random: Random, { country }: DemoOrganization): string[] {
  const others = random.chance(0.06) ? [random.pickSkewed(DEMO_COUNTRIES), random.pick(DEMO_COUNTRIES)] : []
  return [...new Set([country, ...others])]
}

// Hyphens and the wrong length: no real onion address looks like these.
function drawSourceUrl(random: Random, actor: string | null, index: number): string | null {
  if (random.chance(0.1)) return null
  const site = (actor ?? 'forum').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return `http://demo-${site}-not-a-real-address.onion/post/${index + 1}`
}

function fill(category: DemoCategory, count: number): DemoCategory[] {
  return Array.from({ length: count }, () => category)
}

type Evidence = ThreatRecord['evidence']

const TYPE_BY_KIND: Readonly<Record<EvidenceKind, string>> = {
  'leak-site': 'Leak site screenshot',
  'forum-post': 'Forum post screenshot',
  'file-listing': 'File listing screenshot',
}

const KINDS: Readonly<Record<DemoCategory, readonly EvidenceKind[]>> = {
  Ransomware: ['leak-site', 'file-listing'],
  'Data Breach': ['forum-post', 'file-listing'],
  'Initial Access': ['forum-post'],
  DDoS: ['forum-post'],
  Other: ['forum-post'],
}

/** None, one or two pictures; the service draws them on request. */
function drawEvidence(random: Random, category: DemoCategory): Evidence {
  const kinds = KINDS[category]
  return random.sample(kinds, random.between(0, kinds.length)).map((kind) => ({
    type: TYPE_BY_KIND[kind],
    url: `/evidence/${kind}-${random.between(1, 400)}`,
  }))
}

/** Draws when an actor strikes: within 120 days up to now, in bursts of its own, rarer at night and at weekends. */
function createDemoTimes(now: Date, actorSeed: number): () => Date {
  const random = createRandom(actorSeed)
  const bursts = Array.from({ length: random.between(1, 4) }, () => {
    const start = random.between(0, DAYS - 3)
    return { start, end: start + random.between(2, 5) }
  })
  // Some actors appeared lately, some have gone quiet.
  const firstDay = random.chance(0.25) ? random.between(30, 80) : 0
  const lastDay = firstDay === 0 && random.chance(0.2) ? random.between(50, 100) : DAYS

  return function drawTime() {
    for (;;) {
      const day = random.next() * DAYS
      const time = new Date(now.getTime() - (DAYS - day) * DAY_MS)
      if (day < firstDay || day >= lastDay) continue
      if (random.chance(weigh(day, time))) return time
    }
  }

  function weigh(day: number, time: Date) {
    if (day > DAYS - LATELY_DAYS) return 1
    const isBurst = bursts.some(({ start, end }) => day >= start && day < end)
    const isBusyHour = time.getUTCHours() >= BUSY_HOURS_UTC.from && time.getUTCHours() < BUSY_HOURS_UTC.to
    const weekday = WEEKDAY_WEIGHTS[time.getUTCDay()] ?? 1
    return weekday * (isBusyHour ? 1 : 0.4) * (isBurst ? 1 : 1 / BURST_FACTOR)
  }
}

/** Members of some records, by index, as criminals really publish them: each a trap for software that shows text. */
const HOSTILE_RECORDS: Readonly<Record<number, Partial<ThreatRecord>>> = {
  40: { title: 'Invoice \u202Egpj.exe\u202C of Velmora Castings' },
  160: { title: 'Nor\u200Bdale Cl\u200Dinics \u2060FULL D\uFEFFATA' },
  310: { title: '<img src=x onerror=alert(1)> Kasbrook Systems' },
  470: { title: 'BRYWICK.EXAMPLE FILES  *<em>PART5</em> PUBLISHED &amp; FREE' },
  640: { title: `Torvane${'A'.repeat(400)}` },
  820: { title: '🚨💰 Ostlia Savings Bank 🏴‍☠️ 40 GB 👨‍👩‍👧‍👦' },
  1010: { title: '株式会社ベルモラ 社内文書 流出', organizations: ['株式会社ベルモラ'] },
  1190: { title: 'شركة نورديل للطاقة - تسريب كامل', organizations: ['شركة نورديل للطاقة'] },
  1380: {
    title:
      'Q\u0300\u0316\u0323\u0301\u0317u\u0302\u0330\u0308e\u0303\u0331l\u0304\u032Dmora Z\u0336A\u0336L\u0336G\u0336O\u0336',
  },
  1570: { title: '=HYPERLINK("http://demo.example","Open the report")' },
  1760: { title: '[Lantern] Your session has expired, sign in at http://demo.example/login' },
  1950: { title: 'javascript:alert(document.domain)//Fenholm Telecom', sourceUrl: 'javascript:alert(1)' },
  2140: {
    title: 'Établissements Où-dit-Ça — «données» à vendre',
    organizations: ['Établissements Où-dit-Ça'],
  },
  2330: { title: 'ООО «Дравейн» — полная база', organizations: ['ООО «Дравейн»'] },
  2520: { title: '{{constructor.constructor("return 1")()}} #{7*7} %00 ../../etc/passwd' },
  2710: { title: "Robert'); drop table threat;-- O'Lumsen Legal" },
  2900: { title: 'FundaciÃ³ Saviridge d\u0092AssÃ­s', organizations: ['FundaciÃ³ Saviridge'] },
  3090: { title: 'First line\u2028second line\u2029third line\r\nfourth\tend\u001B[31m red' },
}
