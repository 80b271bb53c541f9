import * as z from 'zod/mini'
import { personName } from '#bff/store/records/person-name.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { type ClaimIds, claimIdsSchema } from './claim-queries.ts'

const decisionSchema = z.nullable(z.enum(['same', 'apart']))
const pairSchema = z.object({ one: z.string(), other: z.string(), decision: decisionSchema })
/** A person's decision on two claims. Null if there is none. */
export type DecidedPair = z.infer<typeof pairSchema>
const undoableSchema = z.object({
  before: z.array(pairSchema),
  isUndone: z.boolean(),
  isOvertaken: z.boolean(),
})

/** Reads the stored claims of a claim's case. Returns none for a claim without a case. */
export async function readClaimIds(db: Database, threatId: string): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [threatId])`
    select claim.threat_id as id
      from case_claim own join case_claim claim using (case_id) join window_threat on id = claim.threat_id
     where own.threat_id = $1 order by sorted_at, id`
}

/** Reads pairs that people keep apart, with one claim among `ones` and the other among `others`. */
export async function readApart(
  db: Database,
  ones: readonly string[],
  others: readonly string[],
): Promise<ClaimIds[]> {
  return readRows(db, claimIdsSchema, [ones, others])`
    select one_id as one, other_id as other from case_decision
     where decision = 'apart' and (one_id = any($1) and other_id = any($2) or one_id = any($2) and other_id = any($1))`
}

const caseEventSchema = z.object({ who: z.string(), action: z.enum(['join', 'split', 'keep-apart', 'undo']) })
type CaseEvent = z.infer<typeof caseEventSchema> & { accountId: string }

/** Reads the number of the last decision of a person, on any case; 0 if there is none. */
export async function readRevision(db: Database): Promise<number> {
  return readRow(db, onlyColumn(z.int()))`
    select coalesce(max(id), 0)::float8 as revision from case_event`
}

/** Reads the last decision after a revision, by another account, on claims of the cases of some threats; null for none. */
export async function readOvertaking(
  tx: Database,
  by: { accountId: string; revision: number },
  threatIds: readonly string[],
): Promise<z.infer<typeof caseEventSchema> | null> {
  return findRow(tx, caseEventSchema, [by.revision, by.accountId, threatIds])`
    with near as (
      select claim.threat_id as id from case_claim own join case_claim claim using (case_id)
       where own.threat_id = any($3))
    select coalesce(${personName('account.id::text = account_id')}, who) as who, action from case_event
     where id > $1 and account_id <> $2
       and exists (
         select from jsonb_to_recordset(before) as pair (one text, other text)
          where one in (select id from near) or other in (select id from near))
     order by id desc limit 1`
}

/** Decides on some pairs. Returns the event that can undo the decisions, or null if nothing changed. */
export async function decidePairs(
  tx: Database,
  event: CaseEvent,
  pairs: readonly DecidedPair[],
): Promise<string | null> {
  const before = await readDecisions(tx, pairs)
  if (pairs.every((pair, at) => before[at]?.decision === pair.decision)) return null
  const values = [event.accountId, event.who, event.action, JSON.stringify(before)]
  const id = await readRow(tx, onlyColumn(z.string()), values)`
    insert into case_event (account_id, who, action, before) values ($1, $2, $3, $4) returning id::text`
  await writeDecisions(tx, event.who, pairs)
  return id
}

/** The decisions on some pairs, in their order. */
async function readDecisions(tx: Database, pairs: readonly ClaimIds[]): Promise<DecidedPair[]> {
  return readRows(tx, pairSchema, [JSON.stringify(pairs)])`
    select one, other, decision
      from rows from (jsonb_to_recordset($1::jsonb) as (one text, other text)) with ordinality as given (one, other, at)
      left join case_decision
        on one_id = least(one collate "C", other collate "C") and other_id = greatest(one collate "C", other collate "C")
     order by at`
}

async function writeDecisions(tx: Database, who: string, pairs: readonly DecidedPair[]): Promise<void> {
  await execute(tx, [JSON.stringify(pairs)])`
    delete from case_decision using jsonb_to_recordset($1::jsonb) as given (one text, other text)
     where one_id = least(one collate "C", other collate "C") and other_id = greatest(one collate "C", other collate "C")`
  await execute(tx, [JSON.stringify(pairs), who])`
    insert into case_decision (one_id, other_id, decision, who)
    select least(one collate "C", other collate "C"), greatest(one collate "C", other collate "C"), decision, $2
      from jsonb_to_recordset($1::jsonb) as given (one text, other text, decision text)
     where decision is not null`
}

export type Undoing = { kind: 'unknown' | 'undone' | 'overtaken' } | { kind: 'done'; pairs: DecidedPair[] }

/** Restores the decisions from before an event, unless one of its pairs was decided again since. */
export async function undoDecisions(
  tx: Database,
  by: { accountId: string; who: string },
  eventId: string,
): Promise<Undoing> {
  const event = await findRow(tx, undoableSchema, [eventId])`
    select before, undone_by is not null as "isUndone",
           exists (
             select from case_event later
              where later.id > event.id and later.undone_by is null and later.action <> 'undo'
                and exists (
                  select from jsonb_to_recordset(event.before) as pair (one text, other text)
                    join jsonb_to_recordset(later.before) as again (one text, other text)
                      on (again.one, again.other) in ((pair.one, pair.other), (pair.other, pair.one)))) as "isOvertaken"
      from case_event event where id = $1 and action <> 'undo' for update`
  if (!event) return { kind: 'unknown' }
  if (event.isUndone) return { kind: 'undone' }
  if (event.isOvertaken) return { kind: 'overtaken' }
  const undoneBy = await decidePairs(tx, { ...by, action: 'undo' }, event.before)
  await tx.query('update case_event set undone_by = coalesce($2, id) where id = $1', [eventId, undoneBy])
  return { kind: 'done', pairs: event.before }
}
