import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type Mail = { to: string[]; source: string }

/** A mail server on this machine. While it is not `isUp` it refuses all mail for now. It knows no address that is `unknown`. With a password it wants a login. */
export async function startMailServer(password: string | null = null) {
  const mails: Mail[] = []
  const state = { isUp: true, refused: 0, password, unknown: '' }
  const server = new SMTPServer({
    authOptional: password === null,
    allowInsecureAuth: true,
    // Only a killed client still has a connection when the test is over.
    closeTimeout: 1,
    disabledCommands: password === null ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    onAuth(auth, _session, done) {
      if (auth.password === state.password) done(null, { user: auth.username })
      else done(new Error('Invalid username or password'))
    },
    onMailFrom(_address, _session, done) {
      if (state.isUp) return done()
      state.refused += 1
      done(Object.assign(new Error('Try later'), { responseCode: 451 }))
    },
    onRcptTo({ address }, _session, done) {
      if (address !== state.unknown) return done()
      done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }))
    },
    onData(stream, session, done) {
      text(stream).then((source) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
        done()
      }, done)
    },
  })
  // A client may be killed in the middle.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  const { port }: AddressInfo = address
  return {
    mails,
    state,
    /** As the settings have it. */
    mail: {
      server: {
        host: '127.0.0.1',
        port,
        tls: 'none',
        credentials: password === null ? null : { user: 'lantern', password },
      },
      from: { name: 'Lantern', address: 'lantern@corp.example' },
    } as const,
  }
}
