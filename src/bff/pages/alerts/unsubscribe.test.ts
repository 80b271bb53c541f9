import { expect, test } from 'vitest'
import { UNSUBSCRIPTIONS } from '#bff/http/account-limits.ts'
import { readUnsubscribeToken, unsubscribeLink } from '#bff/notify/unsubscribe.ts'
import { auditPageSchema } from '#contract/bff/audit.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const ORIGIN = 'https://lantern.example'
const MIA = 'mia@corp.example'

/** A dashboard whose mails were read by a person: the path of the link in each. */
async function startMailing() {
  const mailServer = await startMailServer()
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { mail: mailServer.mail, origin: ORIGIN })
  const { rows } = await database.query('select id from account')
  const { app, ask, listed } = started
  return {
    ...started,
    database,
    mails: mailServer.mails,
    ada: { channel: 'user', userId: String(Object(rows[0]).id) } as const,
    mia: { channel: 'email', address: MIA } as const,
    sent: (count: number) => expect.poll(() => mailServer.mails.length).toBe(count),
    pathFor(address: string): string {
      const { source = '' } = mailServer.mails.findLast(({ to }) => to.includes(address)) ?? {}
      const headers = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ')
      expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
      const [, link = ''] = /^List-Unsubscribe: <(https:[^>]+)>$/m.exec(headers) ?? []
      const text = source.replaceAll('=\r\n', '')
      expect(text.split(link).length - 1).toBeGreaterThanOrEqual(2)
      return link.slice(ORIGIN.length)
    },
    /** A mail program posts so: no cookie, no origin, no header of ours. */
    press: (path: string, peerAddress = '192.0.2.7') => {
      const body = new FormData()
      body.set('List-Unsubscribe', 'One-Click')
      return app.request(path, { method: 'POST', body }, { peerAddress })
    },
    recipients: async () =>
      Object.fromEntries(
        (await listed()).map((one) => [one.name, one.recipients.map(({ channel }) => channel)]),
      ),
    bell: async () =>
      inboxSchema.parse(await (await ask('/bff/inbox')).json()).items.map(({ title }) => title),
    audited: async () =>
      auditPageSchema.parse(await (await ask('/bff/audit?timeZone=UTC&action=alert-unsubscribed')).json())
        .events,
  }
}

test('one press in a mail program unsubscribes its address, once, and notifies the owner', async () => {
  const { create, publish, app, ada, mia, ...mailing } = await startMailing()
  const { mails, sent, pathFor, press, recipients, bell, audited } = mailing
  const { profile } = await create([ada, mia], { name: 'Clinics' })
  await publish({ id: 'one' })
  await sent(2)
  const path = pathFor(MIA)
  expect(path).not.toBe(pathFor('ada@example.com'))

  // Mail scanners read the page, and change nothing.
  for (const method of ['GET', 'HEAD', 'GET']) expect((await app.request(path, { method })).status).toBe(200)
  const page = await (await app.request(path)).text()
  expect(page).toContain(`<form method="post" action="${path}"><button class="primary">Stop these messages`)
  expect(page).not.toMatch(/Clinics|corp\.example/)
  expect(await recipients()).toEqual({ Clinics: ['user', 'email'] })

  const stopped = await press(path)
  expect([stopped.status, await stopped.text()]).toEqual([200, expect.stringMatching(/Messages stopped/)])
  expect((await press(path)).status).toBe(200)
  expect(await recipients()).toEqual({ Clinics: ['user'] })
  expect(await bell()).toContainEqual('m…@corp.example unsubscribed from “Clinics”')
  expect(await audited()).toMatchObject([
    {
      actor: null,
      object: profile.id,
      objectName: 'Clinics',
      address: '192.0.2.7',
      before: { recipients: ['email m…@corp.example'] },
    },
  ])

  await mailing.database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish({ id: 'two' })
  await sent(3)
  expect(mails[2]?.to).toEqual(['ada@example.com'])
})

test('a link is of the profiles of its mail, and of users too', async () => {
  const { create, publish, ada, mia, database, ...mailing } = await startMailing()
  await create([ada, mia], { name: 'Clinics', filter: { q: 'clinic' } })
  await create([ada], { name: 'Ports', filter: { q: 'port' } })
  await publish({ id: 'one', title: 'clinic' })
  await mailing.sent(2)
  await mailing.press(mailing.pathFor('ada@example.com'))
  expect(await mailing.recipients()).toEqual({ Clinics: ['email'], Ports: ['user'] })
  const [event] = await mailing.audited()
  expect(event?.before).toEqual({ recipients: [`user ${ada.userId}`] })
  // Nobody is the owner any more.
  await database.query('update alert_profile set account_id = null')
  await mailing.press(mailing.pathFor(MIA))
  expect(await mailing.bell()).toContainEqual('m…@corp.example unsubscribed from “Clinics”')
  expect(await mailing.recipients()).toEqual({ Clinics: [], Ports: ['user'] })
})

test('a link that Lantern did not make, or has forgotten, says what to do and changes nothing', async () => {
  const { create, publish, mia, database, app, ...mailing } = await startMailing()
  await create([mia], { name: 'Clinics' })
  await publish({ id: 'one' })
  await mailing.sent(1)
  const path = mailing.pathFor(MIA)
  const other = unsubscribeLink('another secret', '', '0b0e3f1c-7d0f-4c3a-9c55-0d3f8f0f2a11')
  const forgotten = unsubscribeLink('secret-of-the-tests', '', '0b0e3f1c-7d0f-4c3a-9c55-0d3f8f0f2a11')
  const changed = path.slice(0, -3) + (path.endsWith('AAA') ? 'BBB' : 'AAA')
  for (const wrong of [
    other,
    forgotten,
    changed,
    `${path}A`,
    '/unsubscribe/x',
    `/unsubscribe/${'A'.repeat(5_000)}`,
  ]) {
    const answer = await mailing.press(wrong)
    expect(answer.status, wrong).toBeGreaterThanOrEqual(400)
    expect(answer.status, wrong).toBeLessThan(500)
    expect(await answer.text(), wrong).toMatch(/role="alert"/)
  }
  expect(await (await mailing.press(other)).text()).toMatch(/does not work any more.*newer message/s)
  expect(await mailing.recipients()).toEqual({ Clinics: ['email'] })
  expect(await mailing.audited()).toEqual([])
  expect((await app.request('/bff/unsubscriptions', { method: 'POST' })).status).toBe(403)

  const [, , token = ''] = path.split('/')
  expect(readUnsubscribeToken(token, ['new', 'secret-of-the-tests'])).toMatch(/^[0-9a-f-]{36}$/)
  expect(readUnsubscribeToken(token, ['new'])).toBeNull()
})

test('one address presses as many links in a minute as a provider of mail does, and no more', async () => {
  const { press, ...mailing } = await startMailing()
  for (let pressed = 0; pressed < UNSUBSCRIPTIONS.perMinute; pressed++)
    expect((await press('/unsubscribe/x')).status).toBe(404)
  const refused = await press('/unsubscribe/x')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await refused.text()).toMatch(/by your address/)
  expect((await press('/unsubscribe/x', '198.51.100.7')).status).toBe(404)
  mailing.wait(60_001)
  expect((await press('/unsubscribe/x')).status).toBe(404)
})
