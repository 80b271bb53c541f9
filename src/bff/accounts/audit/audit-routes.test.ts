import { expect, test } from 'vitest'
import { type AuditPage, auditPageSchema } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { type AuditRecord, recordAudit } from './record-audit.ts'

const EVENT: AuditRecord = {
  actor: null,
  action: 'view-created',
  route: 'POST /bff/views',
  object: 'v-1',
  address: '192.0.2.1',
  requestId: 'r-1',
}

async function openRecord(database: Database) {
  const bff = await createTestBff(database)
  await bff.signIn()
  const list = async (query = ''): Promise<AuditPage> =>
    auditPageSchema.parse(await (await bff.ask(`/bff/audit${query}`)).json())
  return { ...bff, list }
}

test(
  'lists who changed which object, with values before and after, newest first',
  withDatabase('bff', async (database) => {
    const { ask, list } = await openRecord(database)
    await ask('/bff/users', { body: { email: 'bob@example.com', role: 'viewer' } })

    const { events, nextCursor } = await list()

    expect(nextCursor).toBeNull()
    expect(events.map(({ action }) => action)).toEqual(['user-created', 'sign-in'])
    expect(events[0]).toMatchObject({
      actor: { email: ADMIN.email },
      objectName: 'bob@example.com',
      before: null,
      after: { name: 'bob', role: 'viewer' },
      route: 'POST /bff/users',
      address: '127.0.0.1',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    })
  }),
)

test(
  'finds by who, what and day',
  withDatabase('bff', async (database) => {
    const { list } = await openRecord(database)
    await recordAudit(database, EVENT)
    const actionsOf = async (query: string) => (await list(query)).events.map(({ action }) => action)
    const today = new Date().toISOString().slice(0, 10)

    expect(await actionsOf('?who=ADA@')).toEqual(['sign-in'])
    expect(await actionsOf('?action=view-created')).toEqual(['view-created'])
    expect(await actionsOf(`?from=${today}&to=${today}`)).toEqual(['view-created', 'sign-in'])
    expect(await actionsOf('?to=2020-01-01')).toEqual([])
    expect(await actionsOf('?who=%25')).toEqual([])
  }),
)

test(
  'reads days as those of the reader’s zone',
  withDatabase('bff', async (database) => {
    const { ask, list } = await openRecord(database)
    await database.query(
      `insert into audit_event (at, action, route) values ('2026-03-09T16:00:00Z', 'view-created', 'POST /bff/views')`,
    )
    const day = '?from=2026-03-10&to=2026-03-10'

    expect((await list(day)).events).toEqual([])
    expect((await list(`${day}&timeZone=Asia/Tokyo`)).events).toHaveLength(1)
    const file = await ask(`/bff/audit/export${day}&timeZone=Asia/Tokyo&format=json`)
    expect(await file.json()).toMatchObject({ events: [{ action: 'view-created' }] })
    expect((await ask(`/bff/audit${day}&timeZone=Mars/Olympus`)).status).toBe(400)
  }),
)

test(
  'pages through all of it without a gap or a repeat, though more is written meanwhile',
  withDatabase('bff', async (database) => {
    const { list } = await openRecord(database)
    for (let index = 0; index < 230; index += 1)
      await recordAudit(database, { ...EVENT, object: `v-${index}` })

    const objects: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: AuditPage = await list(`?action=view-created${cursor && `&cursor=${cursor}`}`)
      objects.push(...page.events.map(({ object }) => object))
      await recordAudit(database, { ...EVENT, object: 'late' })
      cursor = page.nextCursor
    }
    expect(objects).toEqual(Array.from({ length: 230 }, (_, index) => `v-${229 - index}`))
  }),
)

test(
  'masks what is secret by name, at any depth, and keeps hostile names as they are',
  withDatabase('bff', async (database) => {
    const { list } = await openRecord(database)
    const name = 'a\u0000b\ud800'
    await recordAudit(database, {
      ...EVENT,
      before: { name, apiKey: 'canary-1', slack: { webhookUrl: 'canary-2', token: null } },
      after: { password: 'canary-3' },
    })
    const [event] = (await list()).events
    expect(event?.before).toEqual({ name, apiKey: '•••', slack: { webhookUrl: '•••', token: null } })
    const { rows } = await database.query('select before, after from audit_event')
    expect(JSON.stringify(rows)).not.toContain('canary')
  }),
)

test(
  'exports a file without formulas, and records the export',
  withDatabase('bff', async (database) => {
    const { ask, list } = await openRecord(database)
    await recordAudit(database, { ...EVENT, objectName: '=HYPERLINK("http://evil.example")' })

    const csv = await ask('/bff/audit/export?format=csv&action=view-created')
    const json = await ask('/bff/audit/export?format=json&action=view-created')

    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="lantern-audit-[\d-]{10}\.csv"$/,
    )
    const lines = (await csv.text()).split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(await json.json()).toMatchObject({ events: [{ action: 'view-created' }] })
    expect((await list('?action=audit-exported')).events.map(({ after }) => after)).toEqual([
      { format: 'json', events: 1, action: 'view-created', timeZone: 'UTC' },
      { format: 'csv', events: 1, action: 'view-created', timeZone: 'UTC' },
    ])
  }),
)

test(
  'refuses days that no record can be of',
  withDatabase('bff', async (database) => {
    const { ask } = await openRecord(database)
    expect((await ask('/bff/audit?from=0000-01-01')).status).toBe(400)
    expect((await ask('/bff/audit?to=2020-02-30')).status).toBe(400)
  }),
)

test(
  'is for admins only',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await database.query(`update account set role = 'analyst'`)
    await signIn()
    expect((await ask('/bff/audit')).status).toBe(403)
    expect((await ask('/bff/audit/export?format=csv')).status).toBe(403)
  }),
)
