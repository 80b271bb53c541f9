import { expect } from 'vitest'
import * as z from 'zod/mini'
import { muteSchema } from '#contract/bff/alert-mute.ts'
import { lanternProfileSavedSchema } from '#contract/bff/alert-profile.ts'
import { testSentSchema } from '#contract/bff/delivery-ledger.ts'
import { entryPageSchema, nameListSchema } from '#contract/bff/list.ts'
import { ownSessionsSchema } from '#contract/bff/own-session.ts'
import { viewSchema } from '#contract/bff/view.ts'
import type { Send } from '#delivery/channels/channel.ts'
import { createSender } from '#delivery/run-deliveries.ts'
import { ADMIN } from './ask-bff.ts'
import { refused, scriptChannel } from './delivery/deliveries.ts'
import { startProfiles } from './profiles/start-profiles.ts'
import { takeDatabase } from './with-database.ts'

/** Stands in every text that is the owner's alone. */
export const MARK = 'olga-marker'

export const MUTE = { kind: 'victim', name: `${MARK} Ltd`, days: null, reason: MARK }
export const ENTRY = { name: `${MARK} Ltd`, domains: [], note: null, key: null, weight: 'normal' }
const DRAFT = { filter: {}, timeZone: 'UTC', isShared: false }

/** An analyst with a private view, its feed, a private profile, messages of it, a passkey and a session; and people who are not her. */
export async function startOwned() {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0 })
  await database.query(
    `insert into account (email, name, role, password_hash)
     select given.name || '@example.com', given.name, given.role, password_hash
       from account, (values ('olga', 'analyst'), ('ana', 'analyst'), ('vic', 'viewer')) as given(name, role)`,
  )
  async function signIn(name: string) {
    const browser = started.createBrowser()
    expect((await browser.signIn({ ...ADMIN, email: `${name}@example.com` })).status).toBe(200)
    return browser.ask
  }
  const ask = await signIn('olga')
  async function create(
    as: typeof ask,
    name: string,
    url = `https://${MARK}.vendor.test/${name.replaceAll(' ', '-')}/abcdefghijklmnop`,
  ) {
    const body = { ...DRAFT, name, recipients: [{ channel: 'webhook', url }] }
    return lanternProfileSavedSchema.parse(await (await as('/bff/alert-profiles', { body })).json()).profile
  }
  const kept = await create(ask, `${MARK} kept`)
  const deleted = await create(ask, `${MARK} deleted`)
  // One message of two people's profiles: its bell names to each only their own.
  const hook = 'https://hooks.vendor.test/abcdefghijklmnop'
  const ana = await signIn('ana')
  for (const [as, name] of [
    [ask, `${MARK} joint`],
    [ana, 'Of Ana'],
  ] as const)
    await create(as, name, hook)
  const [recipient] = kept.recipients
  const muted = await ask(`/bff/alert-profiles/${kept.id}/mutes`, { body: MUTE })
  const { id: muteId } = muteSchema.parse(await muted.json())
  const saved = await ask('/bff/views', { body: { ...DRAFT, name: `${MARK} view` } })
  const { id: viewId } = viewSchema.parse(await saved.json())
  const made = await ask('/bff/lists', {
    body: { name: `${MARK} list`, kind: 'supplier', isShared: false, entries: [ENTRY] },
  })
  const { id: listId } = nameListSchema.parse(await made.json())
  const { entries } = entryPageSchema.parse(await (await ask(`/bff/lists/${listId}/entries`)).json())
  const feed = await ask(`/bff/views/${viewId}/feed`, { method: 'POST' })
  expect(feed.status).toBe(201)
  await started.publish({ id: 'one', title: 'Northwind' })
  const answer: Send = async ({ destination }) =>
    refused({ code: '410', excerpt: destination === hook ? 'gone' : `${MARK} answer`, isPermanent: true })
  const sender = createSender({
    database,
    secret: 'secret-of-the-tests',
    channels: { webhook: scriptChannel([answer, answer, answer]) },
    linkTo: (id) => `http://localhost:4173/${id}`,
    onError(error) {
      throw error
    },
  })
  await sender.pass()
  await sender.finish()
  expect((await ask(`/bff/alert-profiles/${deleted.id}`, { method: 'DELETE' })).status).toBe(204)
  const tested = await ask(`/bff/alert-profiles/${kept.id}/recipients/${recipient?.id}/test`, {
    method: 'POST',
  })
  const { id: testId } = testSentSchema.parse(await tested.json())
  const { deliveries } = await started.ledger('?state=failed')
  const deliveryOf = (id: string) =>
    deliveries.find(({ causes }) => causes.some((cause) => cause.id === id))?.id ?? ''
  const { sessions } = ownSessionsSchema.parse(await (await ask('/bff/sessions')).json())
  const { rows } = await database.query(
    `insert into passkey (account_id, credential_id, public_key, counter, transports, name)
     select id, 'credential', '', 0, '{}', $1 from account where name = 'olga' returning id, account_id as "accountId"`,
    [`${MARK} passkey`],
  )
  const { id: passkeyId, accountId } = z.object({ id: z.string(), accountId: z.string() }).parse(rows[0])
  const owned = {
    viewId,
    listId,
    entryId: entries[0]?.id ?? '',
    profileId: kept.id,
    muteId,
    testId,
    passkeyId,
    accountId,
    recipientId: recipient?.id ?? '',
    deliveryId: deliveryOf(kept.id),
    sessionId: sessions[0]?.id ?? '',
    hook,
  }
  const secrets = [
    MARK,
    viewId,
    listId,
    owned.entryId,
    ...[kept, deleted].flatMap(({ id }) => [id, deliveryOf(id)]),
  ]
  secrets.push(testId, muteId, owned.recipientId, owned.sessionId, passkeyId)
  expect(secrets).not.toContain('')
  expect(await (await ana('/bff/inbox')).text()).toContain('Of Ana')
  const nobody = started.createBrowser()
  return {
    owned: { ...owned, secrets },
    owner: ask,
    table: started.table,
    browsers: [
      ['nobody', nobody.ask],
      ['viewer', await signIn('vic')],
      ['analyst', ana],
      ['admin', started.ask],
    ] as const,
    async snapshot() {
      const read = async (sql: string) => (await database.query(sql)).rows
      const tables = [
        'saved_view',
        'name_list',
        'alert_profile',
        'alert_recipient',
        'alert_mute',
        'delivery',
        'passkey',
      ]
      return Promise.all([
        ...tables.map((table) => read(`select * from ${table} order by id`)),
        read('select account_id, count(*) from session group by 1 order by 1'),
        read('select id, role, disabled_at from account order by id'),
      ])
    },
  }
}
