import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFieldMapping } from './read-field-mapping.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-mapping-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('reads the names that an operator pins', async () => {
  const mapping = { actor: { mentions: 'stats.hits' }, threat: { severity: 'grade' } }
  expect(await readFieldMapping(await put(JSON.stringify(mapping)))).toEqual(mapping)
})

test.each([
  ['{\n  "actor": {\n    "mentionz": "hits"\n  }\n}', / line 3: actor\.mentionz is no field/],
  ['{\n  "actors": {}\n}', / line 2: actors is no field/],
  ['{\n  "country": {\n    "threats": 5\n  }\n}', / line 3: country\.threats must be a name/],
  ['{ "actor": { "name": "--" } }', / line 1: actor\.name must be a name with letters or digits/],
  ['{\n  "actor": {\n    "name" "x"\n  }\n}', / line 3 must be JSON/],
  ['[]', /: the whole /],
])('says where a fault is: %j', async (text, message) => {
  await expect(readFieldMapping(await put(text))).rejects.toThrow(message)
})

test('says that there is no such file', async () => {
  await expect(readFieldMapping(join(folder, 'none.json'))).rejects.toThrow(/FIELD_MAPPING must name a file/)
})

async function put(text: string): Promise<string> {
  const file = join(folder, 'mapping.json')
  await writeFile(file, text)
  return file
}
