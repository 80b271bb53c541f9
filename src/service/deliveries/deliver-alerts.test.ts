import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createKey } from '#service/keys/create-key.ts'
import { startService } from '#service/start-service.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'a secret of thirty-two characters'

/** The service as it is served, with a key and a mail server. */
async function serve(database: OpenDatabase, mailServer: Awaited<ReturnType<typeof startMailServer>>) {
  const port = await findFreePort()
  const service = await startService({
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    secret: SECRET,
    delivery: {
      mail: mailServer.mail,
      domains: [],
      hosts: [],
      dashboardUrl: 'https://lantern.example',
      retentionDays: 90,
      random: () => 0,
    },
    log: () => {},
  })
  const { token } = await createKey(database, {
    account: 'acme',
    name: 'test',
    earlierPlan: 'professional',
    v1Plan: 'none',
  })
  return {
    close: service.close,
    async ask(method: string, path: string, body?: unknown) {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, json: z.unknown().parse(await answer.json()) }
    },
  }
}

test('keeps addresses sealed, and moves those of before there at the start', async () => {
  const database = await takeDatabase('service')
  await database.query(`insert into account (id, name) values ('acc_1', 'acme')`)
  await database.query(
    `insert into alert_profile (account_id, name, keywords, categories, has_emails, emails, slack_webhook)
     values ('acc_1', 'Earlier', '{northwind}', '{}', true, '{soc@corp.example}', 'https://hooks.slack.example/T0/secret-of-it')`,
  )
  const { close, ask } = await serve(database, await startMailServer())
  const { json } = await ask('GET', '/api/alerts')
  await close()
  expect(json).toMatchObject({
    alert_profiles: [
      {
        notifications: {
          email: ['soc@corp.example'],
          slack: 'https://hooks.slack.example/T0/secret-of-it',
          teams: null,
        },
      },
    ],
  })
  const { rows } = await database.query(
    `select to_jsonb(p)::text || (select string_agg(to_jsonb(d)::text, '') from delivery_destination d) as text
       from alert_profile p`,
  )
  const text = JSON.stringify(rows)
  expect(text).not.toContain('soc@')
  expect(text).not.toContain('T0/secret')
})
