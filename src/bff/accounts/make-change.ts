import type * as z from 'zod/mini'
import {
  type AuditedChange,
  auditFacts,
  type RequestContext,
  recordAudit,
} from '#bff/accounts/audit/record-audit.ts'
import { lockAccounts } from '#bff/accounts/sign-in/account-queries.ts'
import { lockSession } from '#bff/accounts/sign-in/session-queries.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { requireRole } from '#bff/http/require-role.ts'
import {
  type BffRoute,
  defineRoute,
  type Fields,
  type ReaderSession,
  type RouteDefinition,
} from '#bff/http/route.ts'
import type { Endpoint } from '#contract/bff/endpoints.ts'
import type { LiveEvent } from '#contract/bff/live.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'

/**
 * The process that makes a change may be silent this long between two statements: a stuck one holds locks that changes of
 * other nodes wait for, and a proxy waits 2.5 s for these.
 */
const SILENT_MAX_MS = 1_500
/** Longer than other servers are given for an answer. */
const SILENT_OUTSIDE_MAX_MS = 30_000

/** Adds to the audit record what was changed. Who did it, and by which request, is known. */
export type RecordChange = (change: AuditedChange) => Promise<void>
/** A change that is made for somebody who is signed in. */
export type ChangeContext = RequestContext & { session: ReaderSession }

/**
 * Makes a change and its audit record, together or not at all. The session must be valid and have the role `access` until
 * both are committed. While an admin makes a change, nobody else changes accounts. `lock` takes locks that others take
 * before they lock the session.
 */
export function makeChange<Result>(
  database: Database,
  context: ChangeContext,
  access: Role,
  run: (tx: Database, record: RecordChange) => Promise<Result>,
  lock?: (tx: Database) => Promise<void>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await limitSilence(tx, SILENT_MAX_MS)
    if (access === 'admin') await lockAccounts(tx)
    await lock?.(tx)
    requireRole(await lockSession(tx, context.session.id), access)
    return run(tx, (change) => recordAudit(tx, { ...auditFacts(context), ...change }))
  })
}

type ChangeRoute<
  Params extends Fields | undefined,
  Query extends Fields | undefined,
  Body extends z.ZodMiniType | undefined,
> = Omit<RouteDefinition<Role, Params, Query, Body>, 'method' | 'path' | 'answer'> & {
  /** Status of an answer with JSON; 200 without it. */
  status?: number
  /** Open pages are notified of this once the change is recorded. */
  live?: LiveEvent
  /** Returns the JSON of the answer. The answer is 204 if it returns undefined. */
  change(
    input: Parameters<RouteDefinition<Role, Params, Query, Body>['answer']>[0],
    tx: Database,
    record: RecordChange,
  ): Promise<unknown>
  /** Runs once the change is committed. What it returns is the JSON of the answer, unless it is undefined. */
  committed?(input: Parameters<RouteDefinition<Role, Params, Query, Body>['answer']>[0]): unknown
}

/** Defines a route that makes one change. */
export function defineChange<
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(
  database: Database,
  endpoint: Endpoint,
  { change, committed, status, live, ...definition }: ChangeRoute<Params, Query, Body>,
): BffRoute {
  return defineRoute<Role, Params, Query, Body>(endpoint, {
    ...definition,
    async answer(input) {
      const changed = await makeChange(database, input, definition.access, (tx, record) =>
        change(input, tx, async (facts) => {
          await record(facts)
          if (live) await notifyLive(tx, live)
        }),
      )
      const json = (await committed?.(input)) ?? changed
      return json === undefined ? { status: 204 } : { json, ...(status && { status }) }
    },
  })
}

/** Extends the limit within a change that waits for another server. */
export function allowWait(tx: Database): Promise<void> {
  return limitSilence(tx, SILENT_OUTSIDE_MAX_MS)
}

async function limitSilence(tx: Database, ms: number): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = ${ms}`)
}
