import { once } from 'node:events'
import { createServer } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { COMPANY_CERTIFICATE } from '#test/fixtures/company-certificate.ts'
import { aGroup, aMatchesMessage, aNotifiedThreat, aTestMessage } from '#test/fixtures/message-fixtures.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'
import type { Message } from '../message.ts'
import { createEmailChannel, type EmailOptions } from './email-channel.ts'

const FROM = { name: 'Lantern', address: 'lantern@corp.example' }

function portOf(server: { address(): unknown }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('It has no port')
  return Number(address.port)
}

/** A mail server of this machine, until the test is over. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: { from: unknown; to: string[]; raw: string }[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onData(stream, { envelope }, done) {
      readText(stream).then((raw) => {
        received.push({
          from: envelope.mailFrom === false ? null : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
        })
        done()
      }, done)
    },
    ...options,
  })
  smtp.on('error', () => {})
  onTestFinished(() => void smtp.close())
  await once(smtp.listen(0, '127.0.0.1'), 'listening')
  return { received, port: portOf(smtp.server) }
}

function channelTo(port: number, changes: Partial<EmailOptions> = {}, server: object = {}) {
  const email = createEmailChannel({
    mail: { server: { host: '127.0.0.1', port, tls: 'none', credentials: null, ...server }, from: FROM },
    domains: [],
    ...changes,
  })
  return (
    destination = 'ada@corp.example',
    message: Message = aMatchesMessage(),
    signal = new AbortController().signal,
    onBody = async () => {},
  ) => email.send({ message, destination, deliveryId: 'delivery-1', signal, onBody })
}

const headerOf = (raw: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(raw ?? '')?.[1]

/** Encoded words (RFC 2047) as text. */
const readSubject = (raw: string | undefined) =>
  (headerOf(raw, 'Subject') ?? '').replace(/=\?UTF-8\?Q\?(.*?)\?=\s*/g, (_, words: string) =>
    decodeURIComponent(words.replaceAll('_', ' ').replaceAll('=', '%')),
  )

test('gives one mail for one recipient, which says that a program sent it', async () => {
  const { port, received } = await startMailServer()
  const send = channelTo(port)
  expect(await send()).toMatchObject({ kind: 'accepted', code: expect.stringMatching(/^250/) })
  await send()
  await send('bob@corp.example', aGroup())
  expect(received.map(({ from, to }) => [from, ...to])).toEqual([
    ['lantern@corp.example', 'ada@corp.example'],
    ['lantern@corp.example', 'ada@corp.example'],
    ['lantern@corp.example', 'bob@corp.example'],
  ])
  const [raw, again, other] = received.map((mail) => mail.raw)
  expect(headerOf(raw, 'From')).toBe('Lantern <lantern@corp.example>')
  expect(readSubject(raw)).toBe('Critical: Acme Corp, claimed by NightOwl · Acme and suppliers')
  expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-generated')
  expect(headerOf(raw, 'X-Auto-Response-Suppress')).toBe('All')
  expect(headerOf(raw, 'List-Id')).toContain('<alerts.lantern.corp.example>')
  expect(raw).toMatch(/Content-Type: multipart\/alternative/)
  expect(headerOf(again, 'Message-ID')).toBe(headerOf(raw, 'Message-ID'))
  expect(headerOf(other, 'Message-ID')).not.toBe(headerOf(raw, 'Message-ID'))
})

test('marks a mail as important where one of its threats is critical, and no other', async () => {
  const { port, received } = await startMailServer()
  const send = channelTo(port)
  for (const criticalCount of [0, 1]) await send('ada@corp.example', { ...aMatchesMessage(), criticalCount })
  expect(received.map(({ raw }) => headerOf(raw, 'Importance'))).toEqual([undefined, 'High'])
  expect(headerOf(received[1]?.raw, 'X-Priority')).toBe('1 (Highest)')
})

test('lets a mail program stop the messages of any profile, where https reaches it', async () => {
  const { port, received } = await startMailServer()
  const causes = [false, true].map((isTeam, at) => ({ id: `p${at}`, name: 'Acme', isTeam }))
  const message = aMatchesMessage({ causes })
  for (const [origin, sent] of [
    ['https://lantern.example', message],
    ['https://lantern.example', aTestMessage()],
    ['http://localhost:4173', message],
  ] as const)
    await channelTo(port, { unsubscribeLink: (id) => `${origin}/unsubscribe/${id}` })(
      'ada@corp.example',
      sent,
    )
  const link = '<https://lantern.example/unsubscribe/delivery-1>'
  const headers = (name: string) => received.map(({ raw }) => headerOf(raw, name))
  expect(headers('List-Unsubscribe')).toEqual([link, undefined, undefined])
  expect(headers('List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click', undefined, undefined])
  expect(received.map(({ raw }) => /Stop these messages/.test(raw))).toEqual([true, false, true])
})

test('answers to one message that is never sent for each profile and recipient: a thread', async () => {
  const { port, received } = await startMailServer()
  const send = channelTo(port)
  const of = (...ids: string[]) => aMatchesMessage({ causes: ids.map((id) => ({ id, name: 'Acme' })) })
  for (const [address, message] of [
    ['ada@corp.example', of('p-1')],
    ['ada@corp.example', of('p-1')],
    ['ada@corp.example', of('p-2')],
    ['bob@corp.example', of('p-1')],
    ['ada@corp.example', of()],
  ] as const)
    await send(address, message)
  const roots = received.map(({ raw }) => headerOf(raw, 'References'))
  expect(roots.map((root) => roots.indexOf(root))).toEqual([0, 0, 2, 3, 4])
  expect(roots[0]).toMatch(/^<[0-9a-f]{40}@corp\.example>$/)
  expect(roots[4]).toBeUndefined()
  expect(received.map(({ raw }) => headerOf(raw, 'In-Reply-To'))).toEqual(roots)
})

test('lets no text of criminals, and no address, into headers or the envelope', async () => {
  const { port, received } = await startMailServer()
  const send = channelTo(port)
  const title = 'x\r\nBcc: eve@evil.example\r\n\r\n.\r\nRCPT TO:<eve@evil.example>\u202e'
  await send('ada@corp.example', aMatchesMessage({ threats: [aNotifiedThreat({ title })] }))
  expect(received.map(({ to }) => to)).toEqual([['ada@corp.example']])
  expect(headerOf(received[0]?.raw, 'Bcc')).toBeUndefined()
  for (const address of [
    'ada@corp.example\r\nRCPT TO:<eve@evil.example>',
    'a@corp.example, eve@evil.example',
    '<eve@evil.example>',
    'ada',
  ]) {
    expect(await send(address)).toMatchObject({ kind: 'refused', code: null, isPermanent: true })
  }
  expect(received).toHaveLength(1)
})

test('writes to no domain that NOTIFY_DOMAINS does not name', async () => {
  const { port, received } = await startMailServer()
  const send = channelTo(port, { domains: ['corp.example'] })
  expect(await send('ada@CORP.example')).toMatchObject({ kind: 'accepted' })
  for (const address of ['ada@evil.example', 'ada@sub.corp.example']) {
    expect(await send(address)).toMatchObject({ kind: 'refused', isPermanent: true })
  }
  expect(received).toHaveLength(1)
})

const fail = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

test.each([
  [
    'a recipient that is not there',
    550,
    '5.1.1 No such user',
    { code: '550 5.1.1', excerpt: 'No such user', isPermanent: true },
  ],
  ['a greylist', 451, '4.7.1 Come again', { code: '451 4.7.1', isPermanent: false }],
  ['a full mailbox', 452, '4.2.2 Full', { code: '452 4.2.2', isPermanent: false }],
] as const)('reports %s', async (_, code, words, answer) => {
  const { port, received } = await startMailServer({
    onRcptTo: (_address, _session, done) => done(fail(code, words)),
  })
  expect(await channelTo(port)()).toMatchObject({ kind: 'refused', retryAfterMs: null, ...answer })
  expect(received).toEqual([])
})

test('reports a message that the server refuses for its content as permanent', async () => {
  const { port } = await startMailServer({
    onData: (stream, _session, done) =>
      void readText(stream).then(() => done(fail(554, '5.7.1 Looks like spam'))),
  })
  expect(await channelTo(port)()).toMatchObject({ kind: 'refused', code: '554 5.7.1', isPermanent: true })
})

test('pauses a server that refuses the login, without failing its messages', async () => {
  let logins = 0
  const { port } = await startMailServer({
    authOptional: false,
    onAuth(_auth, _session, done) {
      logins += 1
      done(new Error('Wrong password hunter2'))
    },
  })
  const send = channelTo(port, {}, { credentials: { user: 'ada', password: 'hunter2' } })
  const answers = [await send(), await send('bob@corp.example')]
  for (const answer of answers) {
    expect(answer).toMatchObject({ kind: 'refused', isPermanent: false, retryAfterMs: expect.any(Number) })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  }
  expect(logins).toBe(1)
})

test('says of a mail server that is not there that the connection was refused', async () => {
  expect(await channelTo(await findFreePort())()).toMatchObject({
    kind: 'refused',
    code: null,
    excerpt: 'No connection to the mail server: connection refused.',
  })
})

type Fault = 'no greeting' | 'cut at the recipient' | 'cut at the message' | 'cut after it' | 'no reply to it'

/** Follows the dialogue up to a fault. */
async function startFaulty(fault: Fault, onReached: () => void): Promise<number> {
  const server = createServer((socket) => {
    let isData = false
    let received = ''
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    if (fault === 'no greeting') onReached()
    else socket.write('220 mail.test ESMTP\r\n')
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      if (isData) {
        if (!received.endsWith('\r\n.\r\n')) return
        if (fault === 'cut after it') socket.destroy()
        else onReached()
        return
      }
      const command = received
      received = ''
      if (command.startsWith('RCPT') && fault === 'cut at the recipient') return socket.destroy()
      if (!command.startsWith('DATA')) return socket.write('250 ok\r\n')
      if (fault === 'cut at the message') return socket.destroy()
      isData = true
      return socket.write('354 go on\r\n')
    })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server)
}

test.each([
  ['no greeting', 'refused'],
  ['cut at the recipient', 'refused'],
  ['cut at the message', 'refused'],
  ['cut after it', 'unclear'],
  ['no reply to it', 'unclear'],
] as const)('%s: %s', async (fault, kind) => {
  const giveUp = new AbortController()
  const send = channelTo(await startFaulty(fault, () => giveUp.abort()))
  const answer = await send('ada@corp.example', aMatchesMessage(), giveUp.signal)
  expect(answer).toMatchObject(kind === 'refused' ? { kind, code: null, isPermanent: false } : { kind })
})

test('sends no text that the ledger does not know of, and says first that it leaves', async () => {
  const { port, received } = await startMailServer()
  const { signal } = new AbortController()
  const sendNoted = (onBody: () => Promise<void>) =>
    channelTo(port)('ada@corp.example', aMatchesMessage(), signal, onBody)
  expect(await sendNoted(() => Promise.reject(new Error('The database is away')))).toMatchObject({
    kind: 'refused',
    code: null,
    isPermanent: false,
    excerpt: 'Not sent: Lantern could not note in its database that the message leaves.',
  })
  expect(received).toEqual([])
  const arrived: number[] = []
  const noted = await sendNoted(async () => void arrived.push(received.length))
  expect([noted.kind, arrived, received.length]).toEqual(['accepted', [0], 1])
})

test('sends nothing to a server without TLS, or with an untrusted certificate', async () => {
  const credentials = { user: 'ada', password: 'hunter2' }
  const plain = await startMailServer()
  const untrusted = await startMailServer({ ...COMPANY_CERTIFICATE, disabledCommands: [] })
  for (const { port, received } of [plain, untrusted]) {
    expect(await channelTo(port, {}, { tls: 'required', credentials })()).toMatchObject({
      kind: 'refused',
      code: null,
      isPermanent: false,
    })
    expect(received).toEqual([])
  }
})

test('upgrades to TLS before it logs in', async () => {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, SELF_SIGNED.cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const logins: unknown[] = []
  const { port, received } = await startMailServer({
    ...SELF_SIGNED,
    disabledCommands: [],
    authOptional: false,
    allowInsecureAuth: false,
    onAuth({ username, password }, { secure }, done) {
      logins.push({ username, password, secure })
      done(null, { user: username })
    },
  })
  const credentials = { user: 'ada', password: 'hunter2' }
  expect(await channelTo(port, {}, { tls: 'required', credentials })()).toMatchObject({ kind: 'accepted' })
  expect(logins).toEqual([{ username: 'ada', password: 'hunter2', secure: true }])
  expect(received).toHaveLength(1)
})

test('without a mail server there is no email, and it says so', async () => {
  expect(await channelTo(0, { mail: undefined })()).toMatchObject({
    kind: 'refused',
    isPermanent: false,
    excerpt: expect.stringMatching(/SMTP_URL and MAIL_FROM/),
  })
})
