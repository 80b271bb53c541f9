import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { openDestination, storeDestinations } from '#delivery/destinations.ts'
import { countDeliveries } from '#delivery/ledger.ts'

const AT_ONCE = 1_000

const destinationSchema = z.object({
  id: z.uuid(),
  account: z.string(),
  channel: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
  masked: z.string(),
  line: z.string(),
})
type StoredDestination = z.infer<typeof destinationSchema>
const rowSchema = onlyColumn(z.record(z.string(), z.unknown()))

/** A table of a ledger, in an order in which each row comes after what it refers to. */
const TABLES = [
  { name: 'delivery_cause', key: ['id'], columns: 'id, name, state, is_team' },
  {
    name: 'delivery',
    key: ['id'],
    columns: `id, destination_id, kind, content, state, is_open, reason, attempts, attempts_before, next_attempt_at,
              retries_until, leased_by, leased_until, created_at, touched_at, is_urgent`,
  },
  {
    name: 'delivery_attempt',
    key: ['delivery_id', 'number'],
    columns: 'delivery_id, number, started_at, ended_at, outcome, code, excerpt, is_abandoned, body_from',
  },
  {
    name: 'delivery_match',
    key: ['id'],
    columns: 'event, cause_id, destination_id, threat_id, threat, delivery_id, left_out, matched_at',
  },
] as const

type Move = {
  /** The service's database, and what its destinations are sealed by. */
  service: Database
  serviceSecret: string
  /** The account of the dashboard's key. Messages of other accounts are moved as theirs. */
  account: string
  dashboard: Database
  /** The dashboard's, which seals the destinations anew. */
  secret: string
}

/**
 * Moves what the service of an earlier Lantern had sent, or had yet to send, into the dashboard's ledger. It is all there
 * before the service's tables are emptied, and it is there once however often this is done: a process that ends in between
 * does it again at its next start, before it sends. Deliveries keep their ids.
 */
export async function moveServiceLedger({
  service,
  serviceSecret,
  account,
  dashboard,
  secret,
}: Move): Promise<void> {
  if (!(await hasLedger(service))) return
  await service.transaction(async (from) => {
    // Another process that starts waits here, and then finds nothing.
    await from.query('lock table delivery in access exclusive mode')
    await dashboard.transaction(async (to) => {
      const moved = await moveDestinations({ from, to, serviceSecret, account, secret })
      for (const table of TABLES) await copyTable(from, to, table, moved)
    })
    await execute(from)`
      truncate delivery, delivery_attempt, delivery_match, delivery_cause, delivery_destination, delivery_notice, delivery_notice_told`
  })
}

/** Messages of the service of an earlier Lantern that nobody has sent. */
export async function countWaitingMessages(service: Database): Promise<number> {
  const { queued, sending, retrying, heldBack } = await countDeliveries(service)
  return queued + sending + retrying + heldBack
}

async function hasLedger(service: Database): Promise<boolean> {
  return readRow(service, onlyColumn(z.boolean()))`
    select exists (select from delivery) or exists (select from delivery_match) as "isThere"`
}

/** Maps ids of the service's ledger to those of the dashboard's. A destination that cannot be opened keeps its mask. */
async function moveDestinations({
  from,
  to,
  serviceSecret,
  account: ownAccount,
  secret,
}: Omit<Move, 'service' | 'dashboard'> & { from: Database; to: Database }): Promise<
  ReadonlyMap<string, string>
> {
  const rows = await readRows(from, destinationSchema)`
    select id, account, channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed,
           masked, line
      from delivery_destination`
  const opened = []
  const unopened: StoredDestination[] = []
  for (const stored of rows) {
    const account = stored.account === ownAccount ? '' : stored.account
    const destination = openDestination(stored, serviceSecret)
    if (destination === null) unopened.push({ ...stored, account })
    else opened.push({ id: stored.id, account, channel: stored.channel, destination })
  }
  const find = await storeDestinations(to, opened, secret)
  await execute(to, [JSON.stringify(unopened)])`
    insert into delivery_destination (id, account, channel, fingerprint, sealed, masked, line)
    select id, account, channel, decode(fingerprint, 'hex'), decode(sealed, 'hex'), masked, line
      from jsonb_to_recordset($1::jsonb)
        as given(id uuid, account text, channel text, fingerprint text, sealed text, masked text, line text)
    on conflict do nothing`
  return new Map([
    ...opened.map((one) => [one.id, find(one).id] as const),
    ...unopened.map(({ id }) => [id, id] as const),
  ])
}

async function copyTable(
  from: Database,
  to: Database,
  { name, key, columns }: (typeof TABLES)[number],
  moved: ReadonlyMap<string, string>,
): Promise<void> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const rows = await readRows(from, rowSchema, [offset])`
      select to_jsonb(${name}) from ${name} order by ${key.join(', ')} limit ${AT_ONCE} offset $1`
    const copied = rows.map((row) => ({
      ...row,
      // Later matches are added to the dashboard's own open messages.
      is_open: false,
      destination_id: moved.get(String(row.destination_id)),
    }))
    await execute(to, [JSON.stringify(copied)])`
      insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)
      on conflict do nothing`
    if (rows.length < AT_ONCE) return
  }
}
