import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.optional(z.boolean()),
      devDependencies: z.optional(z.record(z.string(), z.string())),
    }),
  ),
})
/** Runners, bundlers and browsers that come with others, and so are not named as ours. */
const BROUGHT_ALONG =
  /^(rolldown|esbuild|rollup|lightningcss|webpack|@swc\/core|jest|mocha|playwright-core|puppeteer-core)$/

test('an installation for production has no package that only development needs', async () => {
  const { packages } = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const own = Object.keys(packages['']?.devDependencies ?? {})
  expect(own).toContain('vitest')

  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  const names = installed.map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(names).toContain('hono')
  expect(names.filter((name) => own.includes(name) || BROUGHT_ALONG.test(name))).toEqual([])
})
