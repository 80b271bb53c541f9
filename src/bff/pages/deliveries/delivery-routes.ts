import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { transactAs } from '#bff/accounts/sign-in/transact-as.ts'
import { EXPORTS } from '#bff/http/account-limits.ts'
import { CSV_CONTENT_TYPE, type CsvColumn, toCsv } from '#bff/http/csv.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { listChangeableWatchIds, listReadableWatchIds } from '#bff/notify/watch-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { ServiceLedger } from '#bff/vendor/ledger/service-ledger.ts'
import {
  LEDGER_EXPORT_MAX_COUNT,
  type LedgerDetail,
  type LedgerEntry,
  ledgerExportQuerySchema,
  ledgerKeeperSchema,
  ledgerQuerySchema,
} from '#contract/bff/ledger.ts'
import { threatParamsSchema } from '#contract/bff/threat-list.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { type LedgerReader, listToldThreats, readDelivery, sendAgain } from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { createJoinedLedger, type JoinedLedger, type LedgerQuestion } from './join-ledgers.ts'

const PLACE = z.object({ keeper: ledgerKeeperSchema, id: idSchema })
/** Of one threat, in one answer. */
const TOLD_MAX = 100
/** Of one message of the service: more than a page shows. */
const TITLED_MAX = 100

type Dependencies = { database: Database; serviceLedger: ServiceLedger }

/** Messages to people outside, whoever keeps their ledger. */
export function deliveryRoutes({ database, serviceLedger }: Dependencies): BffRoute[] {
  const ask = createJoinedLedger({ database, serviceLedger })

  async function readOwn(db: Database, id: string, session: ReaderSession): Promise<LedgerDetail | null> {
    const reader = await readerOf(db, session)
    const delivery = await readDelivery(db, id, reader)
    return delivery && { ...delivery, keeper: 'dashboard', threats: await listToldThreats(db, id, reader) }
  }

  /** Its ledger has ids; titles are of the threats that are stored here. */
  async function ofService({ threatIds, ...delivery }: DeliveryDetail): Promise<LedgerDetail> {
    const stored = await readThreats(database, threatIds.slice(0, TITLED_MAX))
    const titles = new Map(stored.map(({ id, title }) => [id, title]))
    const threats = threatIds.map((id) => ({ id, title: titles.get(id) ?? null }))
    return { ...delivery, keeper: 'service', threats }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/deliveries',
      query: ledgerQuerySchema,
      access: 'analyst',
      cache: 'none',
      answer: async ({ query, session }) => ({
        json: await ask({ ...query, ...(await readerOf(database, session)), failuresFirst: true }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/deliveries/:keeper/:id',
      params: PLACE,
      access: 'analyst',
      cache: 'none',
      async answer({ params: { keeper, id }, session }) {
        if (keeper === 'dashboard') return { json: (await readOwn(database, id, session)) ?? notThere() }
        const found = await serviceLedger.read(id).catch(notAnswering)
        return { json: found ? await ofService(found) : notThere() }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/deliveries/:keeper/:id/resend',
      params: PLACE,
      access: 'analyst',
      cache: 'none',
      async answer({ params: { keeper, id }, session, request }) {
        const facts = auditFacts('POST /bff/deliveries/:keeper/:id/resend', { session, request })
        const record = (db: Database) =>
          recordAudit(db, { ...facts, action: 'delivery-resent', object: id, after: { keeper } })
        if (keeper === 'service') {
          // What cannot be recorded is not sent, and what is not sent leaves no record.
          const sent = await transactAs(database, session, 'analyst', async (tx) => {
            await record(tx)
            return (await serviceLedger.resend(id).catch(notAnswering)) ?? notResendable()
          })
          return { json: await ofService(sent) }
        }
        const json = await transactAs(database, session, 'analyst', async (tx) => {
          if (!(await readOwn(tx, id, session))) throw gone()
          await requireChangeable(tx, id, session)
          if (!(await sendAgain(tx, id, readDatabaseTime))) notResendable()
          await record(tx)
          return readOwn(tx, id, session)
        })
        return { json }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id/deliveries',
      params: threatParamsSchema,
      access: 'viewer',
      cache: 'none',
      async answer({ params: { id }, session }) {
        const question = { threatId: id, ...(await readerOf(database, session)) }
        const { deliveries, serviceLedger: state } = await readAll(ask, question, TOLD_MAX)
        return { json: { deliveries: deliveries.slice(0, TOLD_MAX), serviceLedger: state } }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/exports/deliveries',
      query: ledgerExportQuerySchema,
      access: 'analyst',
      limit: EXPORTS,
      cache: 'none',
      async answer({ query: { format, ...filter }, session, request }) {
        const question = { ...filter, ...(await readerOf(database, session)) }
        const { deliveries } = await readAll(ask, question, LEDGER_EXPORT_MAX_COUNT)
        if (deliveries.length > LEDGER_EXPORT_MAX_COUNT) throw tooMany()
        const facts = auditFacts('GET /bff/exports/deliveries', { session, request })
        const after = { format, deliveries: deliveries.length, ...filter }
        await recordAudit(database, { ...facts, action: 'deliveries-exported', object: null, after })
        const { name, contentType, text } = toLedgerFile(deliveries, format, new Date())
        return {
          bytes: new TextEncoder().encode(text),
          contentType,
          headers: { 'content-disposition': `attachment; filename="${name}"` },
        }
      },
    }),
  ]
}

type DashboardReader = Pick<LedgerReader, 'watchIds'>

/** What an account may read of the dashboard's ledger. An admin may read all of it, notices and deleted watches included. */
async function readerOf(db: Database, { user }: ReaderSession): Promise<DashboardReader> {
  return user.role === 'admin' ? {} : { watchIds: await listReadableWatchIds(db, user.id) }
}

async function requireChangeable(tx: Database, id: string, { user }: ReaderSession): Promise<void> {
  if (user.role === 'admin') return
  if (await readDelivery(tx, id, { watchIds: await listChangeableWatchIds(tx, user.id) })) return
  throw new ProblemError({
    code: 'role_not_allowed',
    detail: 'This message is from somebody else’s private watch. Ask its owner or an admin to send it again.',
  })
}

/** Page after page, until there are more than so many. */
async function readAll(ask: JoinedLedger, question: LedgerQuestion, maxCount: number) {
  const deliveries: LedgerEntry[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ask({ ...question, cursor })
    deliveries.push(...page.deliveries)
    if (page.nextCursor === null || deliveries.length > maxCount)
      return { deliveries, serviceLedger: page.serviceLedger }
    cursor = page.nextCursor
  }
}

function gone(): ProblemError {
  return new ProblemError({ code: 'not_found', detail: 'The ledger has no such message, or no longer.' })
}

function notThere(): never {
  throw gone()
}

function notAnswering(): never {
  throw new ProblemError({
    code: 'upstream_unavailable',
    detail: 'The ledger of alert profiles does not answer. Try again in a minute.',
  })
}

function notResendable(): never {
  throw new ProblemError({
    code: 'conflict',
    title: 'This message is not sent again',
    detail: 'Only what failed, is unclear or was not sent can be sent once more.',
  })
}

function tooMany(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    title: 'This is too much for one file',
    detail: `Narrow the filter: a file holds up to ${LEDGER_EXPORT_MAX_COUNT.toLocaleString('en')} messages.`,
  })
}

const COLUMNS: readonly CsvColumn<LedgerEntry>[] = [
  ['created_at', ({ createdAt }) => createdAt],
  ['keeper', ({ keeper }) => keeper],
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['state', ({ state }) => state],
  ['reason', ({ reason }) => reason],
  ['channel', ({ channel }) => channel],
  ['destination', ({ destination }) => destination],
  ['causes', ({ causes }) => causes.map(({ name }) => name).join('; ')],
  ['threats', ({ threatCount }) => threatCount],
  ['subject', ({ subject }) => subject],
  ['attempts', ({ attempts }) => attempts],
  ['answered_at', ({ answeredAt }) => answeredAt],
  ['code', ({ code }) => code],
  ['excerpt', ({ excerpt }) => excerpt],
]

/** A table, or a line of JSON each. */
function toLedgerFile(entries: readonly LedgerEntry[], format: 'csv' | 'ndjson', now: Date) {
  const name = `lantern-deliveries-${now.toISOString().slice(0, 10)}.${format}`
  if (format === 'ndjson') {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    return { name, contentType: 'application/x-ndjson', text }
  }
  return { name, contentType: CSV_CONTENT_TYPE, text: toCsv(COLUMNS, entries) }
}
