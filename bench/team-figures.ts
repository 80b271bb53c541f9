import { countPrompt } from '#bff/alerts/count-prompt.ts'
import { countClosed, countRepeats, readFirstWork, readWorkTimes } from '#bff/store/records/work-queries.ts'
import { DAY_MS } from '#contract/duration.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { median } from './percentile.ts'

const RUNS = 10
const GOAL_MS = 500

/** The queries of the team's figures over a year of work. */
export async function measureTeamFigures({ claims, events }: { claims: number; events: number }) {
  await withBenchDatabase('bff', async (database) => {
    await database.query(
      `insert into window_threat (id, sorted_at, threat, terms, searched_text)
       select 'threat-' || n, now() - n * interval '1 year' / $1::int, '{"publishedAt":"x"}',
              array['actor:a' || n % 50, 'severity:' || (array['critical', 'high', 'medium', 'low'])[1 + n % 4], 'country:DE'], 'x'
         from generate_series(1, $1::int) n`,
      [claims],
    )
    await database.query(
      `insert into case_claim (threat_id, case_id, own_id, known_at)
       select 'threat-' || n, n - n % 3, n - n % 3, now() - n * interval '1 year' / $1::int from generate_series(3, $1::int) n`,
      [claims],
    )
    // Every twentieth event closes 50 cases at once.
    await database.query(
      `insert into triage_event (at, account_id, who, action, threat_ids, reason, before)
       select now() - n * interval '1 year' / $2::int, 'u-' || n % 9, 'ada@corp.example', action,
              array(select 'threat-' || (1 + (n * 7 + m) % $1::int) from generate_series(0, case when n % 20 = 0 then 149 else 2 end) m),
              case when action = 'dismiss' then 'handled' end, '{}'
         from generate_series(1, $2::int) n,
              lateral (select (array['read', 'assign', 'dismiss', 'note', 'read'])[1 + n % 5] as action) chosen`,
      [claims, events],
    )
    await database.query('analyze')
    for (const days of [30, 365]) {
      const span = { start: Date.now() - days * DAY_MS, end: Date.now() }
      const reads = {
        times: () => readWorkTimes(database, span),
        closed: () => countClosed(database, span),
        repeats: () => countRepeats(database, span),
        record: () => readFirstWork(database),
        alerts: () => countPrompt(database, span),
      }
      for (const [name, read] of Object.entries(reads)) {
        const took: number[] = []
        for (let run = 0; run < RUNS; run++) {
          const from = performance.now()
          await read()
          took.push(performance.now() - from)
        }
        const ms = median(took)
        console.log(`  ${days} days, ${name}: median ${ms.toFixed(0)} ms ${verdict(ms <= GOAL_MS)}`)
      }
    }
  })
}
