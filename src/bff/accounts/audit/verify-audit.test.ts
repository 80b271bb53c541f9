import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { readAuditCommand, runAuditCommand } from './audit-command.ts'
import { type AuditRecord, recordAudit } from './record-audit.ts'

/** Each type has another value to become. */
const OTHER_VALUES = new Map([
  ['text', `coalesce($, '') || 'x'`],
  ['bigint', '$ + 1000'],
  ['bytea', `coalesce($, '') || 'x'`],
  ['uuid', 'gen_random_uuid()'],
  ['timestamp with time zone', `$ + interval '1 microsecond'`],
])
const ACCOUNT = randomUUID()
const EVENT: AuditRecord = {
  actor: ACCOUNT,
  action: 'user-changed',
  route: 'PUT /bff/users/:id',
  object: ACCOUNT,
  objectName: 'bob@example.com',
  before: { name: 'Bob\u0000', role: 'viewer' },
  after: { name: 'Robert', role: 'admin' },
  address: '192.0.2.1',
  requestId: 'r-1',
}

async function run(database: Database, line: string, keptDays?: number) {
  const printed: string[] = []
  const command = readAuditCommand(line.split(' '))
  if (command.name === 'help') return expect.fail('help is no command here')
  const isWell = await runAuditCommand(database, command, { print: (text) => printed.push(text), keptDays })
  return { isWell, text: printed.join('\n') }
}

async function takeRecord(count = 6): Promise<OpenDatabase> {
  const database = await takeDatabase('bff')
  for (let index = 1; index <= count; index += 1)
    await recordAudit(database, { ...EVENT, requestId: `r-${index}` })
  return database
}

/** Changes the tables as a role that may do anything to them. */
async function tamper(database: Database, statements: string): Promise<void> {
  await database.query(
    `set session_replication_role = replica; ${statements}; reset session_replication_role`,
  )
}

test('finds no fault in an unaltered record', async () => {
  const database = await takeRecord()
  expect(await run(database, 'verify')).toEqual({
    isWell: true,
    text: '6 records, as they were written',
  })
})

test.each([
  ['altered', `update audit_record set action = 'sign-in' where id = 3`, 'Record 3 (id 3, sign-in of '],
  ['a time altered', `update audit_record set at = at - interval '1 day' where id = 2`, 'Record 2 (id 2'],
  [
    'a link altered',
    `update audit_link set hash = sha256('x') where number = 4`,
    'Record 4 (id 4, user-changed of ',
  ],
])('finds a record %s', async (_, statements, place) => {
  const database = await takeRecord()
  await tamper(database, statements)
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toContain(place)
  expect(text).toMatch(/ was altered$/m)
})

test.each([
  ['the record', 'delete from audit_record where id = 3', 'Record 3 (id 3) was removed'],
  [
    'record and link',
    'delete from audit_record where id in (3, 4); delete from audit_link where number in (3, 4)',
    'Records 3 to 4 were removed\n',
  ],
  [
    'the beginning',
    'delete from audit_record where id = 1; delete from audit_link where number = 1',
    'Record 1 was removed, and no checkpoint tells of it',
  ],
  [
    'the end',
    'delete from audit_record where id > 4; delete from audit_link where number > 4',
    'Records 5 to 6 were removed: the end of the chain was cut off',
  ],
])('finds what was removed: %s', async (_, statements, fault) => {
  const database = await takeRecord()
  await tamper(database, statements)
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toContain(fault)
})

test('finds inserted records, both outside the chain and linked into it', async () => {
  const database = await takeRecord()
  await tamper(database, `insert into audit_record (action, route) values ('sign-in', 'x')`)
  expect((await run(database, 'verify')).text).toContain(
    'A record (id 7, sign-in) was inserted beside the chain',
  )

  await tamper(database, `insert into audit_link values (7, 7, sha256('x'))`)
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toContain('Record 7 (id 7, sign-in of ')
  expect(text).toContain("The chain's end is not the one that its last writer left: 6")
})

test.each([
  ['links', 'audit_link', 'record_id'],
  ['ids', 'audit_record', 'id'],
])('finds records reordered by their %s', async (_, table, column) => {
  const database = await takeRecord()
  await database.query('alter table audit_record alter column id drop identity')
  const move = (from: number, to: number) => `update ${table} set ${column} = ${to} where ${column} = ${from}`
  await tamper(database, [move(2, 99), move(5, 2), move(99, 5)].join(';'))
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toMatch(/^Record 2 .* was reordered: what was written in its place is now record 5$/m)
  expect(text).toMatch(/^Record 5 .* was reordered: what was written in its place is now record 2$/m)
})

test('finds personal data that was altered, or deleted without an erasure', async () => {
  const database = await takeRecord()
  await tamper(database, `update audit_personal set name = 'eve@example.com' where record_id = 2`)
  await tamper(database, `delete from audit_personal where record_id = 4 and about = 'actor'`)
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toMatch(/^Record 2 .* has altered personal data$/m)
  expect(text).toMatch(/^Record 4 .* has lost its personal data, and no erasure of a person tells of it$/m)
})

test('stays valid after a person is erased, and contains no data of that person', async () => {
  const database = await takeRecord()
  await recordAudit(database, { ...EVENT, actor: randomUUID(), address: '198.51.100.7' })

  await run(database, `erase ${ACCOUNT}`)

  expect(await run(database, 'verify')).toMatchObject({ isWell: true })
  const { rows } = await database.query(
    `select (select json_agg(e) from audit_event e) as events, (select json_agg(p) from audit_personal p) as personal`,
  )
  const left = JSON.stringify(rows)
  expect(left).not.toMatch(/bob@example|Robert|192\.0\.2\.1/)
  expect(left).toContain('198.51.100.7')
  const { rows: kept } = await database.query(`select distinct before, after from audit_event where id < 8`)
  expect(kept).toEqual([{ before: '{"role":"viewer"}', after: '{"role":"admin"}' }])
  // The erasure does not cover later records.
  await recordAudit(database, EVENT)
  await tamper(database, 'delete from audit_personal where record_id = 9')
  expect((await run(database, 'verify')).text).toContain('no erasure of a person tells of it')
})

test('holds when old records are pruned, however often, and as long as the checkpoint is as it was', async () => {
  const database = await takeDatabase('bff')
  for (const day of ['2026-01-01', '2026-01-02', '2026-02-01', '2026-03-01'])
    await database.query(
      `insert into audit_event (at, action, route, address) values ($1, 'sign-in', 'x', '192.0.2.1')`,
      [day],
    )
  expect((await run(database, 'prune --before 2026-02-01')).text).toContain('Removed 2 records')
  expect(await run(database, 'verify')).toMatchObject({ isWell: true })
  expect((await run(database, 'prune --before 2026-02-15')).text).toContain('Removed 1 records')
  expect((await run(database, 'prune --before 2026-02-15')).text).toContain('Removed 0 records')
  expect((await run(database, 'prune', 36_500)).text).toContain('Removed 0 records of before 19')
  await expect(run(database, 'prune')).rejects.toThrow('AUDIT_RETENTION_DAYS')
  expect(await run(database, 'verify')).toMatchObject({
    isWell: true,
    text: expect.stringContaining('3 records, as they were written'),
  })
  const { rows } = await database.query('select count(*) from audit_personal')
  expect(rows).toEqual([{ count: 1 }])

  await tamper(database, `delete from audit_record where id = 4; delete from audit_link where number = 4`)
  expect((await run(database, 'verify')).text).toContain('Records 1 to 4 were removed, and no checkpoint')
})

test('finds a change of any column of any table', async () => {
  const database = await takeRecord(3)
  const { rows } = await database.query(
    `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
      where table_name in ('audit_record', 'audit_personal', 'audit_link', 'audit_head') and column_name <> 'is_single'`,
  )
  const columns = z.array(z.object({ table: z.string(), column: z.string(), type: z.string() })).parse(rows)
  expect(columns.length).toBeGreaterThan(20)
  await database.query('alter table audit_record alter column id drop identity')
  await database.query('alter table audit_personal drop constraint audit_personal_about_check')
  const places = new Map([
    ['audit_record', 'id = 2'],
    ['audit_personal', `record_id = 2 and about = 'object'`],
    ['audit_link', 'number = 2'],
  ])
  const missed: string[] = []
  for (const { table, column, type } of columns) {
    const value = OTHER_VALUES.get(type)?.replaceAll('$', column) ?? expect.fail(`no other value of ${type}`)
    await database.query(`create table kept as table ${table}`)
    await tamper(database, `update ${table} set ${column} = ${value} where ${places.get(table) ?? 'true'}`)
    if ((await run(database, 'verify')).isWell) missed.push(`${table}.${column}`)
    await tamper(
      database,
      `delete from ${table}; insert into ${table} overriding system value select * from kept; drop table kept`,
    )
  }
  expect(missed).toEqual([])
  expect(await run(database, 'verify')).toMatchObject({ isWell: true })
})

test('names a checkpoint that was made unreadable', async () => {
  const database = await takeRecord(2)
  await run(database, 'prune --before 2999-01-01')
  await tamper(database, `update audit_record set after = 'garbage', at = 'infinity'`)
  const { isWell, text } = await run(database, 'verify')
  expect(isWell).toBe(false)
  expect(text).toContain('Records 1 to 2 were removed, and no checkpoint tells of it')
})

test('chains what many write at the same time, rolled back ones left out', async () => {
  const database = await takeDatabase('bff')
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      database
        .transaction(async (tx) => {
          await recordAudit(tx, { ...EVENT, requestId: `a-${index}` })
          await recordAudit(tx, { ...EVENT, requestId: `b-${index}` })
          if (index % 6 === 0) throw new Error('rolled back')
        })
        .catch(() => {}),
    ),
  )
  expect(await run(database, 'verify')).toMatchObject({
    isWell: true,
    text: expect.stringContaining('100 records, as they were written'),
  })
})

test('an open transaction does not block other records', async () => {
  const database = await takeDatabase('bff')
  await database.transaction(async (tx) => {
    await recordAudit(tx, EVENT)
    await recordAudit(database, { ...EVENT, requestId: 'beside' })
  })
  expect(await run(database, 'verify')).toMatchObject({ isWell: true })
})

test('a temporary table does not replace a table of the chain', async () => {
  const database = await takeDatabase('bff')
  await database.transaction(async (tx) => {
    await tx.query(
      'create temporary table audit_head (is_single boolean, number bigint, hash bytea) on commit drop',
    )
    await tx.query(`insert into audit_head values (true, 41, '')`)
    await tx.query('create temporary table audit_personal (like public.audit_personal) on commit drop')
    await recordAudit(tx, EVENT)
  })
  expect(await run(database, 'verify')).toMatchObject({ isWell: true })
  expect((await database.query('select from public.audit_personal')).rowCount).toBe(2)
})
