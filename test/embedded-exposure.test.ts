import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { takeDatabase } from './support/with-database.ts'

// docs/operating/database.md says by this what old libraries of the embedded PostgreSQL are exposed to.

test('the embedded PostgreSQL listens on loopback, without TLS and without extensions', async () => {
  const database = await takeDatabase('bff')
  const { rows } = await database.query(`
    select current_setting('ssl') as ssl, current_setting('listen_addresses') as addresses,
           current_setting('unix_socket_directories') as sockets,
           (select string_agg(extname, ' ') from pg_extension) as extensions,
           (select datlocprovider from pg_database where datname = current_database()) as locale,
           (select count(*)::integer from information_schema.columns
             where table_schema = 'public' and data_type = 'xml') as "xmlColumns"`)
  expect(rows).toEqual([
    { ssl: 'off', addresses: '127.0.0.1', sockets: '', extensions: 'plpgsql', locale: 'b', xmlColumns: 0 },
  ])
})

test('no statement of Lantern uses XML, an extension or a collation of ICU', async () => {
  const uses = []
  for await (const file of glob('src/**/*.{ts,sql}')) {
    const text = await readFile(file, 'utf8')
    if (
      /\bxpath\s*\(|\bxml(?:parse|table|element|agg)\b|::xml\b|create extension|collate "(?!C")/i.test(text)
    )
      uses.push(file)
  }
  expect(uses).toEqual([])
})
