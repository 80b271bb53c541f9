import { parseArgs } from 'node:util'
import { measureBackup } from './backup.ts'
import { measureCallsPerView } from './calls-per-view.ts'
import { measureCaseJoining } from './case-joining.ts'
import { measureCrowd } from './crowd.ts'
import { measureDelivery } from './delivery.ts'
import { measureFeedThroughput } from './feed-throughput.ts'
import { measureFreshness } from './freshness.ts'
import { measureListMatching } from './list-matching.ts'
import { type MeasuredLantern, startMeasuredLantern } from './measured-lantern.ts'
import { measureFeedPage } from './page-feed.ts'
import { measurePageQuality } from './page-quality.ts'
import { measureSlowLine } from './slow-line.ts'
import { measureTeamFigures } from './team-figures.ts'
import { measureIndexQueries } from './window-queries.ts'

type Measurement = (lantern: MeasuredLantern) => Promise<void>

/** What `npm run bench -- NAME…` takes, in its order; all of it without a name. */
const BY_LANTERN: Readonly<Record<string, Measurement>> = {
  throughput: measureFeedThroughput,
  pages: (lantern) => measurePageQuality(lantern, values),
  line: measureSlowLine,
}
const ALONE: Readonly<Record<string, () => Promise<void>>> = {
  feed: measureFeedPage,
  window: () => measureIndexQueries(Number(values.records)),
  calls: async () => {
    await measureCallsPerView()
    await measureFreshness()
  },
  crowd: () =>
    measureCrowd({
      records: Number(values.records),
      entries: Number(values.entries),
      isReading: values.reading,
      isPlaced: values.placed,
    }),
  backup: measureBackup,
  delivery: measureDelivery,
  lists: async () => measureListMatching(values.pairs),
  cases: () => measureCaseJoining(values.pairs, Number(values.claims)),
  team: () => measureTeamFigures({ claims: Number(values.records), events: Number(values.events) }),
}

const NAMES = [...Object.keys(BY_LANTERN), ...Object.keys(ALONE)]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Number of stored records, in `window`, `crowd` and `team`. */
    records: { type: 'string', default: '100000' },
    /** Number of actions of the team within a year, in `team`. */
    events: { type: 'string', default: '20000' },
    /** Number of entries in lists that the team follows, in `crowd`. */
    entries: { type: 'string', default: '0' },
    /** `desktop` or `mobile`, and a path, in `pages`; all unless given. */
    device: { type: 'string' },
    page: { type: 'string' },
    /** File of labelled pairs as JSON, in `lists` and `cases`; invented ones unless given. */
    pairs: { type: 'string' },
    /** Number of stored claims that get their cases, in `cases`; none unless given. */
    claims: { type: 'string', default: '0' },
    /** The crowd comes while records are read in, in `crowd`. */
    reading: { type: 'boolean', default: false },
    /** The crowd comes when all claims have their cases, in `crowd`; otherwise while they are compared. */
    placed: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !NAMES.includes(name))
if (unknown.length > 0)
  throw new Error(`No measurement ${unknown.join(', ')}: choose from ${NAMES.join(', ')}`)
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name)

const wanted = Object.entries(BY_LANTERN).filter(([name]) => isWanted(name))
if (wanted.length > 0) {
  const lantern = await startMeasuredLantern()
  try {
    for (const [, measure] of wanted) await measure(lantern)
  } finally {
    await lantern.stop()
  }
}
for (const [name, measure] of Object.entries(ALONE)) if (isWanted(name)) await measure()
