import { onTestFinished } from 'vitest'
import type { ReadShift } from '#bff/alerts/send-shift.ts'
import { sendWaiting } from '#bff/alerts/send-waiting.ts'
import type { NotifySettings } from '#bff/notify/create-channels.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createRealSender } from '#test/support/delivery/create-real-sender.ts'

const SECRET = 'secret-of-the-tests'

type DigestProcessOptions = {
  database: OpenDatabase
  mail: NonNullable<NotifySettings['mail']>
  readNow: () => Promise<Date>
  readShift?: ReadShift
}

/** Starts processes that write digests and send messages at a time that the test sets. */
export function createDigestProcess({
  database,
  mail,
  readNow,
  readShift = () => Promise.reject(new Error('Nobody sends Shift')),
}: DigestProcessOptions) {
  return (db: Database = database) => {
    const sender = createRealSender({
      ledger: db,
      database,
      mail,
      secret: SECRET,
      readNow,
      rateOf: () => ({ everyMs: 0, burst: 1 }),
    })
    const work = async () => {
      while ((await sender.pass()) > 0) await sender.finish()
    }
    onTestFinished(() => void sender.drain())
    return {
      sender,
      work,
      async compose(): Promise<void> {
        const faults: unknown[] = []
        await sendWaiting(db, {
          secret: SECRET,
          hasEmail: true,
          origin: 'http://localhost:4173',
          runningMs: HOUR_MS,
          log: { info() {}, warn() {}, error: (_event, error) => void faults.push(error) },
          access: { secret: SECRET, readNow },
          readShift,
        })
        if (faults.length > 0) throw faults[0]
      },
    }
  }
}
