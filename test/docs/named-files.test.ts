import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const DOCUMENTS = ['README.md', 'docs/**/*.md', '.github/*.md']
/** A path from the root, or, in a picture, from `src`: two folders deep or more, with its ending where it is a file. */
const PATH = /(?<![\w./-])(?:(?:src|test|bench)\/[\w./$-]*\w|(?:app|bff)\/[\w./$-]+\.tsx?)/g
const LINK = /\]\((?!https?:|#)(?<target>[^)#]+)/g

test('every file and folder that the documents name is there', async () => {
  const missing: string[] = []
  let named = 0
  for await (const document of glob(DOCUMENTS)) {
    const text = await readFile(document, 'utf8')
    const paths = [...text.matchAll(PATH)].map(([path]) => (/^(app|bff)\//.test(path) ? `src/${path}` : path))
    const links = [...text.matchAll(LINK)].map(({ groups }) => join(dirname(document), groups?.target ?? ''))
    named += paths.length + links.length
    missing.push(
      ...[...paths, ...links].filter((path) => !existsSync(path)).map((path) => `${document}: ${path}`),
    )
  }
  expect(named).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
