import * as z from 'zod/mini'
import type { StoredTime } from '#bff/time/coverage.ts'
import { gapReasonSchema } from '#contract/bff/coverage.ts'
import { type RouteSet, routeSetSchema } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, onlyColumn } from '#database/read-rows.ts'
import { type Cursor, cursorSchema, parseCursor } from './crawl-cursor.ts'
import { parseJson } from './parse-json.ts'
import { type KnownList, parseList } from './reading.ts'

const timeSchema = z.iso.datetime()

const storedSchema = z.object({
  /** Names the vendor's address. */
  source: z.string(),
  /** Names the keys that the list is read with; null where that is not known. */
  keys: z.nullable(z.string()),
  set: routeSetSchema,
  /** Stored without a gap. */
  storedFrom: timeSchema,
  storedTo: timeSchema,
  /** The lower bound of the vendor's request; null if the plan allows none so far back. */
  since: z.nullable(timeSchema),
  isRedacted: z.boolean(),
  reconciledAt: timeSchema,
  lastReadAt: timeSchema,
  nextReadAt: timeSchema,
  /** The version of the vendor's data that its list was last begun to be read at; null where it names none. */
  dataVersion: z.nullable(z.string()),
  /** The last change of the records. */
  revision: z.int(),
})
type Stored = z.infer<typeof storedSchema> & {
  list: KnownList
  checks: Checks
  /** Nothing older than `storedFrom` is stored for this reason. */
  beyond: StoredTime['beyond']
  /** The comparison of stored records with the vendor's list that is under way. */
  recheck: CatchUp | null
}

/** The crawl to older records. Without a cursor it begins with the newest again. */
type Fill = { cursor: Cursor | null }
/** A crawl from the newest record back to what is stored: when it began, and how far it goes. */
export type CatchUp = { cursor: Cursor; startedAt: string; until: string }

type EmptyState = { status: 'empty' }
export type FillingState = Stored & { status: 'filling'; fill: Fill; catchUp: CatchUp | null }
export type CatchingUpState = Stored & { status: 'catchingUp'; catchUp: CatchUp }
export type CompleteState = Stored & { status: 'complete' }
export type StoredState = FillingState | CatchingUpState | CompleteState
/** Holds how far the sync has come, and where its crawls continue. */
export type SyncState = EmptyState | StoredState

export const EMPTY: EmptyState = { status: 'empty' }

type Crawls = { fill: Fill | null; catchUp: CatchUp | null }

/** The state of the sync with these crawls in progress, whatever was in progress before. */
export function withCrawls(
  before: Stored & { [name in keyof Crawls | 'status']?: unknown },
  { fill, catchUp }: Crawls,
): StoredState {
  const { status: _status, fill: _fill, catchUp: _catchUp, ...stored } = before
  if (fill) return { ...stored, status: 'filling', fill, catchUp }
  return catchUp ? { ...stored, status: 'catchingUp', catchUp } : { ...stored, status: 'complete' }
}

export function crawlsOf(state: StoredState): Crawls {
  return {
    fill: state.status === 'filling' ? state.fill : null,
    catchUp: state.status === 'complete' ? null : state.catchUp,
  }
}

/** The stored form: any of its crawls may contradict the rest. */
const rowSchema = z.extend(storedSchema, {
  isComplete: z.boolean(),
  olderCursor: z.nullable(z.string()),
  newerCursor: z.nullable(z.string()),
  newerStartedAt: z.nullable(timeSchema),
  newerUntil: z.nullable(timeSchema),
  beyond: z.nullable(z.string()),
  list: z.nullable(z.string()),
  checks: z.nullable(z.string()),
  recheck: z.nullable(z.string()),
})
type Row = z.infer<typeof rowSchema>

const TIMES = {
  storedFrom: 'held_from',
  storedTo: 'held_to',
  since: 'since',
  newerStartedAt: 'newer_started_at',
  newerUntil: 'newer_until',
  reconciledAt: 'reconciled_at',
  lastReadAt: 'last_read_at',
  nextReadAt: 'next_read_at',
} as const
const OTHERS = {
  source: 'source',
  keys: 'keys_name',
  beyond: 'beyond',
  set: 'route_set',
  isComplete: 'is_complete',
  isRedacted: 'is_redacted',
  olderCursor: 'older_place',
  newerCursor: 'newer_place',
  dataVersion: 'data_version',
  list: 'list',
  checks: 'checks',
  recheck: 'recheck',
  revision: 'revision',
} as const
const COLUMNS = { ...TIMES, ...OTHERS }

const SELECTED = [
  ...Object.entries(TIMES).map(([name, column]) => `${isoUtc(column)} as "${name}"`),
  ...Object.entries(OTHERS).map(([name, column]) => `${column} as "${name}"`),
].join(', ')

export async function readSyncState(db: Database): Promise<SyncState> {
  const row = await findRow(db, rowSchema)`select ${SELECTED} from window_reach`
  return row ? fromRow(row) : EMPTY
}

/** Another one where everything was dropped, to be read anew; null where nothing is stored. */
export async function readStoreId(db: Database): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()))`select store_id from window_reach`
}

export async function writeSyncState(db: Database, state: StoredState): Promise<void> {
  const row = toRow(state)
  const names = z.keyof(rowSchema).options
  const columns = names.map((name) => COLUMNS[name])
  // A detail may have been stored since the state was read.
  const laterOf = (column: string) =>
    column === COLUMNS.revision
      ? `greatest(window_reach.${column}, excluded.${column})`
      : `excluded.${column}`
  await execute(
    db,
    names.map((name) => row[name]),
  )`
    insert into window_reach (${columns.join(', ')})
    values (${names.map((_, at) => `$${at + 1}`).join(', ')})
    on conflict (is_single) do update set ${columns.map((column) => `${column} = ${laterOf(column)}`).join(', ')}`
}

/** Says that records have changed, and nothing else. */
export async function writeRevision(db: Database, revision: number): Promise<void> {
  await db.query('update window_reach set revision = $1', [revision])
}

/** A crawl of which a part is missing begins anew: that costs a few calls, and loses nothing. */
function fromRow({
  isComplete,
  olderCursor,
  newerCursor,
  newerStartedAt: startedAt,
  newerUntil: until,
  beyond,
  list,
  checks,
  recheck,
  ...stored
}: Row): StoredState {
  const { set, storedFrom, storedTo } = stored
  const cursor = parseCursor(newerCursor, set)
  return withCrawls(
    {
      ...stored,
      beyond:
        beyondSchema.safeParse(beyond).data ??
        (isComplete && stored.since === null ? 'planWindow' : 'notRead'),
      list: parseList(list),
      checks: parseChecks(checks),
      recheck: parseRecheck(recheck, set),
      storedFrom: storedFrom < storedTo ? storedFrom : storedTo,
    },
    {
      fill: isComplete ? null : { cursor: parseCursor(olderCursor, set) },
      catchUp: cursor && startedAt && until ? { cursor, startedAt, until } : null,
    },
  )
}

const beyondSchema = z.union([gapReasonSchema, z.literal('endOfList')])
const recheckSchema = z.object({ cursor: cursorSchema, startedAt: timeSchema, until: timeSchema })

function parseRecheck(text: string | null, set: RouteSet): CatchUp | null {
  const { data } = recheckSchema.safeParse(parseJson(text))
  return data?.cursor.set === set ? data : null
}

function toRow(state: StoredState): Row {
  const { fill, catchUp } = crawlsOf(state)
  return {
    ...state,
    list: JSON.stringify(state.list),
    checks: JSON.stringify(state.checks),
    recheck: state.recheck && JSON.stringify(state.recheck),
    isComplete: fill === null,
    olderCursor: fill?.cursor ? JSON.stringify(fill.cursor) : null,
    newerCursor: catchUp && JSON.stringify(catchUp.cursor),
    newerStartedAt: catchUp?.startedAt ?? null,
    newerUntil: catchUp?.until ?? null,
  }
}

/** Returns why the stored threats of a vendor are not updated; null while all is well. */
export async function readTrouble(db: Database, source: string): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [source])`
    select reason from window_trouble where source = $1`
}

export async function writeTrouble(db: Database, source: string, reason: string | null): Promise<void> {
  if (reason === null) await db.query('delete from window_trouble')
  else
    await execute(db, [source, reason])`
      insert into window_trouble (source, reason) values ($1, $2)
      on conflict (is_single) do update set source = excluded.source, reason = excluded.reason`
}

/** Records from a time on were compared with all that the vendor's list had of them; `at` is when that began. */
const checkSchema = z.object({ from: timeSchema, at: timeSchema })
type Check = z.infer<typeof checkSchema>

/** Records how far stored records were compared with the vendor's list, and what the next comparison needs. */
const checksSchema = z.object({
  recent: z.nullable(checkSchema),
  all: z.nullable(checkSchema),
  /** The start of a whole reading that went further back than later comparisons. */
  whole: z._default(z.nullable(checkSchema), null),
  /** The last comparison of all records began then, even if the list could not be read whole; null before the first. */
  allTriedAt: z.nullable(timeSchema),
  /** Pages of the last comparisons; the longer one per 30 days. */
  pages: z.object({ recent: z.int(), all: z.int() }),
  /** The last comparison is repeated back to this time, because it did not find stored records. */
  repeatUntil: z.nullable(timeSchema),
})
export type Checks = z.infer<typeof checksSchema>

export const NO_CHECKS: Checks = {
  recent: null,
  all: null,
  whole: null,
  allTriedAt: null,
  pages: { recent: 1, all: 1 },
  repeatUntil: null,
}

function parseChecks(text: string | null): Checks {
  return checksSchema.safeParse(parseJson(text)).data ?? NO_CHECKS
}

/** The last comparison that reaches back to a time; where none does, the one that reaches furthest. */
export function checkOf({ recent, all, whole }: Checks, from: string): Check | null {
  const made = [recent, all, whole]
    .filter((check) => check !== null)
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return made.find((check) => check.from <= from) ?? whole ?? all ?? recent
}
