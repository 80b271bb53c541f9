import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'
import { migrate, requireMigrated } from './migrate.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-migrations-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)

test(
  'applies each file once, in order, however many start at the same time',
  withDatabase('empty', async (db) => {
    await write('0002-fill.sql', `insert into color values ('red'); insert into color values ('blue')`)
    await write('0001-make.sql', 'create table color (name text)')
    await Promise.all(Array.from({ length: 4 }, () => migrate(db, pathToFileURL(folder))))
    expect((await db.query('select name from color')).rows).toEqual([{ name: 'red' }, { name: 'blue' }])
  }),
)

test(
  'leaves nothing behind when one of several fails, and says which',
  withDatabase('empty', async (db) => {
    await write('0001-good.sql', 'create table color (name text)')
    await write('0002-bad.sql', 'create tible oops')
    await expect(migrate(db, pathToFileURL(folder))).rejects.toThrow(
      'Migration 0002-bad.sql failed: syntax error',
    )
    expect((await db.query(`select to_regclass('color') as color`)).rows).toEqual([{ color: null }])
    expect((await db.query('select * from schema_migration')).rowCount).toBe(0)
  }),
)

test(
  'refuses a database that a newer Lantern has migrated',
  withDatabase('empty', async (db) => {
    await write('0001-make.sql', 'create table color (name text)')
    await write('0002-more.sql', 'create table shape (name text)')
    await migrate(db, pathToFileURL(folder))
    await rm(join(folder, '0002-more.sql'))
    await expect(migrate(db, pathToFileURL(folder))).rejects.toThrow('newer Lantern (it has migration 2)')
  }),
)

test(
  'continues after migrations of a newer Lantern that permit this version',
  withDatabase('empty', async (db) => {
    const run = () => migrate(db, pathToFileURL(folder))
    await write('0001-make.sql', 'create table color (name text)')
    await write('0002-more.sql', 'alter table color add column code text')
    await run()
    await write(
      '0003-expand.sql',
      '-- Goes with Lanterns that know 0001.\nalter table color add column shade text',
    )
    await write(
      '0004-contract.sql',
      'alter table color drop column code\n-- Goes with Lanterns that know 0002.',
    )
    await run()

    await rm(join(folder, '0003-expand.sql'))
    await rm(join(folder, '0004-contract.sql'))
    await run()
    await requireMigrated(db, pathToFileURL(folder), 'lantern migrate')
    await rm(join(folder, '0002-more.sql'))
    await expect(run()).rejects.toThrow(
      /newer Lantern \(it has migration 4\), beside which this version cannot run: replace it/,
    )
  }),
)

test(
  'refuses a file that has changed since it was applied',
  withDatabase('empty', async (db) => {
    const run = () => migrate(db, pathToFileURL(folder))
    await write('0001-make.sql', 'create table color (\n  name text)')
    await run()
    await write('0001-make.sql', 'create table color (\r\n  name text)')
    await run()
    await write('0001-make.sql', 'create table color (name text, code text)')
    await write('0002-more.sql', 'create table shape (name text)')
    const line = 'The migration 0001-make.sql is another one than the database was migrated by'
    await expect(run()).rejects.toThrow(line)
    await expect(requireMigrated(db, pathToFileURL(folder), 'lantern migrate')).rejects.toThrow(line)
    expect((await db.query(`select to_regclass('shape') as shape`)).rows).toEqual([{ shape: null }])
  }),
)

test(
  'takes what an earlier Lantern has applied as it is at first',
  withDatabase('empty', async (db) => {
    await migrate(db, pathToFileURL(folder))
    await db.query('alter table schema_migration drop column checksum')
    await db.query(`insert into schema_migration values (1, '0001-make.sql')`)
    await write('0001-make.sql', 'create table color (name text)')
    await requireMigrated(db, pathToFileURL(folder), 'lantern migrate')
    await migrate(db, pathToFileURL(folder))
    expect((await db.query(`select to_regclass('color') as color`)).rows).toEqual([{ color: null }])
    await write('0001-make.sql', 'create table color (name text, code text)')
    await expect(migrate(db, pathToFileURL(folder))).rejects.toThrow('is another one')
  }),
)

test.each(['1-make.sql', '0001_Make.sql'])('refuses the name %s', (name) =>
  withDatabase('empty', async (db) => {
    await write(name, 'select 1')
    await expect(migrate(db, pathToFileURL(folder))).rejects.toThrow(`not ${name}`)
  })(),
)

test(
  'accepts a folder without migrations',
  withDatabase('empty', async (db) => {
    await expect(migrate(db, pathToFileURL(join(folder, 'none')))).resolves.toBeUndefined()
  }),
)
