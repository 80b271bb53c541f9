import * as z from 'zod/mini'
import { countryName } from '#contract/country.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { normaliseTexts } from '#matcher/normalise-text.ts'
import { triggerProfiles } from '#service/alerts/trigger-profiles.ts'
import { raiseDataVersion } from '#service/data-version/data-version-queries.ts'
import { tallyThreats } from './tally-threats.ts'
import type { ThreatRecord } from './threat-record.ts'

const insertedSchema = z.object({ id: z.string(), category: z.string(), searchText: z.string() })

// All imports insert in one order, so that two of the same records wait for each other and never deadlock.
const INSERT = `
  insert into threat (id, source, source_id, title, summary, excerpt, content, category, severity, countries,
    threat_actors, industries, organizations, domains, published_at, source_url, evidence, analysis, is_demo,
    search_text, is_severity_derived)
  select threat_id(source, "sourceId"), source, "sourceId", title, summary, excerpt, content, category, severity,
    countries, "threatActors", industries, organizations, domains, "publishedAt", "sourceUrl", evidence, analysis,
    "isDemo", "searchText", coalesce("isSeverityDerived", false)
    from jsonb_to_recordset($1::jsonb) as record(source text, "sourceId" text, title text, summary text,
      excerpt text, content text, category text, severity text, countries text[], "threatActors" text[],
      industries text[], organizations text[], domains text[], "publishedAt" timestamptz, "sourceUrl" text,
      evidence jsonb, analysis jsonb, "isDemo" boolean, "searchText" text, "isSeverityDerived" boolean)
   order by source, "sourceId"
  on conflict do nothing
  returning id, category, search_text as "searchText"`

const INSERT_COUNTRIES = `
  insert into threat_country (threat_id, country, category, published_at)
  select distinct t.id, lower(country), t.category, t.published_at
    from threat t, unnest(t.countries) as country
   where t.id = any($1)`

/** Keeps the records that are not there yet and answers how many those are. All of them arrive, or none. */
export async function insertThreats(db: Database, records: readonly ThreatRecord[]): Promise<number> {
  const rows = records.map(({ searched, ...record }) => ({
    ...record,
    searchText: searchText(record, searched),
  }))

  return db.transaction(async (tx) => {
    const inserted = await readRows(tx, insertedSchema, [JSON.stringify(rows)])`${INSERT}`
    const ids = inserted.map(({ id }) => id)
    await tx.query(INSERT_COUNTRIES, [ids])
    await tallyThreats(tx, ids)
    await triggerProfiles(tx, inserted)
    await raiseDataVersion(tx, { added: inserted.length })
    return inserted.length
  })
}

/** Returns the text that search and alert profiles read: what the source says, not what an analysis adds. */
function searchText(
  record: ThreatRecord,
  searched: ThreatRecord['searched'] = [record.title, record.summary, record.content],
): string {
  return normaliseTexts([
    ...searched,
    ...record.threatActors,
    ...record.organizations,
    ...record.domains,
    ...record.industries,
    ...record.countries.map((country) => countryName(country) ?? country),
  ])
}
