import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { defineChange } from '#bff/accounts/make-change.ts'
import { EXPORTS } from '#bff/http/account-limits.ts'
import { answerCsv, answerDownload, type CsvColumn } from '#bff/http/csv.ts'
import { badRequest, conflict, notFound, roleNotAllowed } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { listMutableProfiles } from '#bff/notify/mute-queries.ts'
import { listChangeableProfileIds, listReadableProfileIds } from '#bff/notify/profile-queries.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import {
  LEDGER_EXPORT_MAX_COUNT,
  type LedgerDetail,
  type LedgerQuery,
  ledgerExportQuerySchema,
  ledgerQuerySchema,
} from '#contract/bff/delivery-ledger.ts'
import { threatParamsSchema } from '#contract/bff/threat-list.ts'
import type { Delivery } from '#contract/delivery.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import {
  countDeliveries,
  type LedgerFilter,
  type LedgerReader,
  listDeliveries,
  listNotifiedThreats,
  readDelivery,
  sendAgain,
} from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'

const ID = z.object({ id: idSchema })
const PAGE = 50
/** One answer names at most this many threats. */
const THREATS_MAX_COUNT = 100
/** A file is read in queries of this size. */
const READ_AT_ONCE = 1_000

type Dependencies = { database: Database; upstream: Upstream }

/** Messages to people outside, as the ledger has them. */
export function deliveryRoutes({ database, upstream }: Dependencies): BffRoute[] {
  async function readOne(db: Database, id: string, session: ReaderSession): Promise<LedgerDetail> {
    const reader = await readerOf(db, session)
    const delivery = await readDelivery(db, id, reader)
    if (!delivery) throw notFound('The ledger has no such message, or no longer.')
    const threats = await listNotifiedThreats(db, id, reader)
    const profiles = await listMutableProfiles(
      db,
      delivery.causes.map((cause) => cause.id),
      session,
    )
    const mutableIds = profiles.flatMap((profile) => (profile.canChange ? profile.id : []))
    return { ...delivery, threats, mutableIds }
  }

  /** A vendor that lists profiles with their states leaves their messages to Lantern. */
  const isVendorSending = async () => !(await upstream.offers('readAlertProfiles'))

  return [
    defineRoute('GET /bff/deliveries', {
      query: ledgerQuerySchema,
      access: 'analyst',
      async answer({ query, session }) {
        const reader = await readerOf(database, session)
        const failuresFirst = query.state === undefined
        const page = { cursor: query.cursor, failuresFirst, limit: PAGE }
        const [{ items, nextCursor }, counts, isSending] = await Promise.all([
          listDeliveries(database, { ...reader, ...toFilter(query), ...page }),
          countDeliveries(database, reader),
          isVendorSending(),
        ])
        return { json: { deliveries: items, nextCursor, counts, isVendorSending: isSending } }
      },
    }),
    defineRoute('GET /bff/deliveries/:id', {
      params: ID,
      access: 'analyst',
      answer: async ({ params: { id }, session }) => ({ json: await readOne(database, id, session) }),
    }),
    defineChange(database, 'POST /bff/deliveries/:id/resend', {
      params: ID,
      access: 'analyst',
      async change({ params: { id }, session }, tx, record) {
        await readOne(tx, id, session)
        await requireChangeable(tx, id, session)
        if (!(await sendAgain(tx, id, readDatabaseTime)))
          throw conflict(
            'Only what failed, is unclear or was not sent can be sent once more.',
            'This message is not sent again',
          )
        await record({ action: 'delivery-resent', object: id })
        return readOne(tx, id, session)
      },
    }),
    defineRoute('GET /bff/threats/:id/deliveries', {
      params: threatParamsSchema,
      access: 'viewer',
      async answer({ params: { id }, session }) {
        const reader = await readerOf(database, session)
        const { items } = await listDeliveries(database, {
          ...reader,
          threatId: id,
          limit: THREATS_MAX_COUNT,
        })
        return { json: { deliveries: items, isVendorSending: await isVendorSending() } }
      },
    }),
    defineRoute('GET /bff/exports/deliveries', {
      query: ledgerExportQuerySchema,
      access: 'analyst',
      limit: EXPORTS,
      async answer({ query: { format, ...filter }, session, request }) {
        const deliveries = await readAll(database, {
          ...(await readerOf(database, session)),
          ...toFilter(filter),
        })
        if (deliveries.length > LEDGER_EXPORT_MAX_COUNT)
          throw badRequest(
            `Narrow the filter: a file holds up to ${LEDGER_EXPORT_MAX_COUNT.toLocaleString('en')} messages.`,
            'This is too much for one file',
          )
        const facts = auditFacts({ session, request })
        const after = { format, deliveries: deliveries.length, ...filter }
        await recordAudit(database, { ...facts, action: 'deliveries-exported', object: null, after })
        if (format === 'csv') return answerCsv('deliveries', COLUMNS, deliveries)
        const text = deliveries.map((delivery) => `${JSON.stringify(delivery)}\n`).join('')
        return answerDownload('deliveries', { format, contentType: 'application/x-ndjson', text })
      },
    }),
  ]
}

/**
 * Returns what an account may read of the ledger. An admin may read all of it, including notices, deleted profiles, and
 * deliveries that were moved here from other accounts of our own service.
 */
async function readerOf(db: Database, { user }: ReaderSession): Promise<LedgerReader> {
  return user.role === 'admin' ? {} : { account: '', profileIds: await listReadableProfileIds(db, user.id) }
}

function toFilter({ state, channel, causeId }: LedgerQuery) {
  return { states: state, channel, causeId }
}

async function requireChangeable(tx: Database, id: string, { user }: ReaderSession): Promise<void> {
  if (user.role === 'admin') return
  if (await readDelivery(tx, id, { profileIds: await listChangeableProfileIds(tx, user.id) })) return
  throw roleNotAllowed(
    'This message is from somebody else’s private profile. Ask its owner or an admin to send it again.',
  )
}

/** Page after page, until there are more than go into a file. */
async function readAll(
  db: Database,
  filter: Omit<LedgerFilter, 'cursor' | 'limit'>,
): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await listDeliveries(db, { ...filter, cursor, limit: READ_AT_ONCE })
    deliveries.push(...items)
    if (nextCursor === null || deliveries.length > LEDGER_EXPORT_MAX_COUNT) return deliveries
    cursor = nextCursor
  }
}

const COLUMNS: readonly CsvColumn<Delivery>[] = [
  ['created_at', ({ createdAt }) => createdAt],
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
