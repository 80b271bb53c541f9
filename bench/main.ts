import { parseArgs } from 'node:util'
import { measureCallsPerView } from './calls-per-view.ts'
import { measureCrowd } from './crowd.ts'
import { measureFeedThroughput } from './feed-throughput.ts'
import { measureHostileAnswers } from './hostile-answers.ts'
import { type MeasuredLantern, startMeasuredLantern } from './measured-lantern.ts'
import { measureFeedPage } from './page-feed.ts'
import { measurePageQuality } from './page-quality.ts'
import { measureWindowQueries } from './window-queries.ts'

type Measurement = (lantern: MeasuredLantern) => Promise<void>

/** What `npm run bench -- NAME…` takes, in its order; all of it without a name. */
const BY_LANTERN: Readonly<Record<string, Measurement>> = {
  throughput: measureFeedThroughput,
  pages: measurePageQuality,
}
const ALONE: Readonly<Record<string, () => Promise<void>>> = {
  feed: measureFeedPage,
  window: measureWindowQueries,
  calls: measureCallsPerView,
  crowd: measureCrowd,
  hostile: measureHostileAnswers,
}

const NAMES = [...Object.keys(BY_LANTERN), ...Object.keys(ALONE)]
const { positionals } = parseArgs({ allowPositionals: true })
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
