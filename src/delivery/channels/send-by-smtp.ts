import { Readable } from 'node:stream'
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection'
import type { Attempt } from './channel.ts'
import { describeErrorCode, UNNOTED } from './connection-fault.ts'

/** SMTP_URL as it is parsed. */
export type SmtpServer = {
  host: string
  port: number
  /** `implicit`: TLS from the first byte; `required`: STARTTLS or nothing; `none`: this machine, or a network that is trusted. */
  tls: 'implicit' | 'required' | 'none'
  credentials: { user: string; password: string } | null
}

/** Replies are the server's own words. A person reads the reasons. */
export type SmtpOutcome =
  | { kind: 'accepted'; reply: string }
  | {
      kind: 'replied'
      reply: string
      /** The failure concerns this mail, not the connection to the server. */
      isOfMail: boolean
    }
  | { kind: 'loginRefused'; reply: string }
  /** The message has not gone out whole. */
  | { kind: 'unsent'; reason: string }
  /** It has, and no reply came. */
  | { kind: 'unanswered'; reason: string }

type Mail = {
  from: string
  to: string
  bytes: Buffer
  signal: AbortSignal
  onBody?: Attempt['onBody']
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }

/** Gives one message to a server, for one recipient, by a connection of its own. Never throws. */
export async function sendBySmtp(
  server: SmtpServer,
  { from, to, bytes, signal, onBody }: Mail,
): Promise<SmtpOutcome> {
  let isSent = false
  /** The transport reads the message once the server accepts it, and reads on once it is passed on. */
  async function* outgoing() {
    await onBody?.()
    yield bytes
    isSent = true
  }
  try {
    const reply = await inSession(server, signal, async (connection, step) => {
      let reply = ''
      await step((done) =>
        connection.send(
          { from, to: [to], size: bytes.byteLength },
          Readable.from(outgoing()),
          (error, sent) => {
            reply = sent?.response ?? ''
            done(error)
          },
        ),
      )
      return reply
    })
    return { kind: 'accepted', reply }
  } catch (error) {
    return readFailure(error, isSent)
  }
}

/** Connects and logs in, and sends nothing; why that fails, or null. Never throws. */
export async function tryMailServer(
  server: SmtpServer,
  signal: AbortSignal,
): Promise<Exclude<SmtpOutcome, { kind: 'accepted' }> | null> {
  try {
    await inSession(server, signal, async () => {})
    return null
  } catch (error) {
    return readFailure(error, false)
  }
}

type Step = (run: (done: (error: Error | null | undefined) => void) => void) => Promise<void>

/** Runs something between login and goodbye. */
async function inSession<T>(
  { host, port, tls, credentials }: SmtpServer,
  signal: AbortSignal,
  run: (connection: SMTPConnection, step: Step) => Promise<T>,
): Promise<T> {
  const connection = new SMTPConnection({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...TIMEOUTS,
  })
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error('Timed out waiting for the mail server.'))
  connection.on('error', reject)
  connection.once('end', () => reject(new Error('The mail server closed the connection.')))
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  const step: Step = (run) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, refuse) => run((error) => (error ? refuse(error) : resolve()))),
    ])
  try {
    await step((done) => connection.connect(done))
    if (credentials) {
      const { user, password: pass } = credentials
      await step((done) => connection.login({ user, pass }, done))
    }
    const result = await run(connection, step)
    connection.quit()
    return result
  } catch (error) {
    connection.close()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

const MAIL_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

function readFailure(error: unknown, isSent: boolean): Exclude<SmtpOutcome, { kind: 'accepted' }> {
  const { code, originalCode, response, command } = readError(error)
  // A server that requires a login answers so too.
  if (code === 'EAUTH' || /^53[0458]/.test(response ?? ''))
    return { kind: 'loginRefused', reply: response ?? '535' }
  if (code !== 'ETLS' && response !== null && /^[45]\d\d/.test(response)) {
    return { kind: 'replied', reply: response, isOfMail: MAIL_COMMANDS.has(command) }
  }
  const reason = code === null && error instanceof Error ? error.message : wordsFor(code, originalCode)
  return { kind: isSent ? 'unanswered' : 'unsent', reason }
}

function readError(error: unknown) {
  const { code, originalCode, response, command }: Partial<SMTPError> = error instanceof Error ? error : {}
  return {
    code: code ?? null,
    originalCode: originalCode ?? null,
    response: typeof response === 'string' ? response : null,
    command: command ?? '',
  }
}

function wordsFor(code: string | null, originalCode: string | null): string {
  switch (code) {
    case 'ETIMEDOUT':
      return 'The mail server did not answer in time.'
    case 'EDNS':
      return 'No connection to the mail server: the host name of SMTP_URL is not found.'
    case 'ESTREAM':
      return UNNOTED
    case 'ETLS':
      return 'The mail server has no TLS that can be trusted; SMTP_URL says how it is reached.'
    default:
      return originalCode === null
        ? `The mail server ended the connection (${code}).`
        : `No connection to the mail server: ${describeErrorCode(originalCode)}.`
  }
}
