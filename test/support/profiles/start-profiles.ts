import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { NotifySettings } from '#bff/notify/create-channels.ts'
import { startNotifying } from '#bff/notify/start-notifying.ts'
import type { CompareNames } from '#bff/store/lists/find-pairs.ts'
import {
  type LanternProfile,
  type LanternProfileSaved,
  lanternProfileListSchema,
  lanternProfileSavedSchema,
} from '#contract/bff/alert-profile.ts'
import { type Ledger, ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import type { RecipientDraft } from '#contract/bff/recipient.ts'
import { listen } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { startReceiver } from '#test/support/stand-in-receiver.ts'
import { startFilled, V1_LIST } from '#test/support/store/start-filled.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'

const NOTIFY = {
  mail: undefined,
  domains: [],
  hosts: ['vendor.test'],
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
}

type ProfilesOptions = {
  sending?: number
  hasEmail?: boolean
  mail?: NotifySettings['mail']
  /** Of who takes webhooks, in their order; then 200. */
  statuses?: number[]
  /** Where browsers find the dashboard. */
  origin?: string
  isDatabaseWritable?: () => Promise<boolean>
  compareNames?: CompareNames | undefined
}
/** Nobody answers there. */
const MAIL = {
  server: { host: '127.0.0.1', port: 9, tls: 'none', credentials: null },
  from: { name: 'Lantern', address: 'lantern@example.com' },
} as const

/** A dashboard before a stand-in vendor whose list grows, somebody who takes webhooks, and processes that send. */
export async function startProfiles(
  database: OpenDatabase,
  {
    sending = 1,
    hasEmail = false,
    mail = hasEmail ? MAIL : undefined,
    statuses = [],
    origin = 'http://localhost:4173',
    isDatabaseWritable,
    compareNames,
  }: ProfilesOptions = {},
) {
  const notify = { ...NOTIFY, mail }
  const receiver = await startReceiver((response) => response.writeHead(statuses.shift() ?? 200).end('ok'))
  const records = [v1Record({ id: 'before', published_at: ago(60) })]
  const filled = await startFilled(database, { records, notify, isDatabaseWritable, compareNames })
  onTestFinished(filled.close)
  async function send(): Promise<void> {
    const notifying = startNotifying({
      database,
      secret: 'secret-of-the-tests',
      origin,
      notify,
      log: { info() {}, warn() {}, error() {} },
    })
    const stopListening = await listen(database.pool, [notifying.notices], () => {})
    onTestFinished(async () => {
      await notifying.stop()
      await stopListening()
    })
  }
  for (let process = 0; process < sending; process++) await send()

  async function create(
    recipients: RecipientDraft[] = [{ channel: 'webhook', url: `${receiver.origin}/hook` }],
    content: object = {},
  ): Promise<LanternProfileSaved> {
    const body = { name: 'All', filter: {}, timeZone: 'UTC', isShared: false, ...content, recipients }
    const saved = await filled.ask('/bff/alert-profiles', { body })
    return lanternProfileSavedSchema.parse(await saved.json())
  }
  /** Until profiles were evaluated for each change so far. */
  async function evaluated(): Promise<void> {
    const isRead = `select from change_reader, threat_change_counter where name = 'alerts' and cursor = last`
    if ((await database.query(isRead)).rowCount === 0) await filled.succeed()
    while ((await database.query(isRead)).rowCount === 0) await sleep(20)
  }
  return {
    ...filled,
    receiver,
    records,
    create,
    send,
    /** The vendor lists more, newest first, and the next look finds it. */
    async publish(...some: Parameters<typeof v1Record>[0][]): Promise<void> {
      records.unshift(
        ...some.map((one) => v1Record({ published_at: ago(0), ...(one?.id && victimOf(one.id)), ...one })),
      )
      filled.standIn.play(V1_LIST, { json: v1List(records) })
      await filled.readNewer()
      await evaluated()
    },
    evaluated,
    listed: async (): Promise<LanternProfile[]> =>
      lanternProfileListSchema.parse(await (await filled.ask('/bff/alert-profiles')).json()).profiles,
    ledger: async (query = ''): Promise<Ledger> =>
      ledgerSchema.parse(await (await filled.ask(`/bff/deliveries${query}`)).json()),
  }
}

/** Each record has a victim of its own: two claims of one victim are one case. */
function victimOf(id: string): Parameters<typeof v1Record>[0] {
  const victims = { countries: ['Germany'], industries: ['Food'] }
  const domain = `${id.replaceAll(/[^a-z0-9]+/gi, '-')}.example`
  return { victims: { ...victims, organizations: [`Northwind Foods ${id}`], domains: [domain] } }
}

export function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString()
}
