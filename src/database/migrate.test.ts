import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'
import { migrate } from './migrate.ts'

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

test.each(['1-make.sql', '0001_Make.sql'])('refuses the name %s', (name) =>
  withDatabase('empty', async (db) => {
    await write(name, 'select 1')
    await expect(migrate(db, pathToFileURL(folder))).rejects.toThrow(`not ${name}`)
  })(),
)

test(
  'copes with a room that has no migrations',
  withDatabase('empty', async (db) => {
    await expect(migrate(db, pathToFileURL(join(folder, 'none')))).resolves.toBeUndefined()
  }),
)
