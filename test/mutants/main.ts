import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { PARTS } from './parts.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    mutate: { type: 'string', multiple: true },
    concurrency: { type: 'string', default: '2' },
    incremental: { type: 'boolean', default: false },
    /** Also what modules do once, while they load: each takes all tests, in a world of their own. */
    static: { type: 'boolean', default: false },
  },
})
const [name = ''] = positionals
const part = PARTS[name]
if (!part) throw new Error(`Name a part: ${Object.keys(PARTS).join(', ')}`)

const folder = `test-results/mutants/${name}`
await new Stryker({
  mutate: values.mutate ?? [...part.mutate],
  testRunner: 'vitest',
  ignoreStatic: !values.static,
  vitest: { configFile: values.static ? 'mutants-static.config.ts' : 'mutants.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  // A part's tests are those that its copy of the repository has: with `testFiles`, Stryker switches what a module does
  // while it loads (each constant pattern) too late, and calls it survived.
  ignorePatterns: [
    'dist',
    '.lantern',
    'test-results',
    '*.test.ts',
    '*.test.tsx',
    ...part.tests.map((test) => `!${test}`),
    ...(part.isPure ? ['test/support/global-setup.ts'] : []),
  ],
  // It would be rewritten with a compiler API that TypeScript 7 does not have, and nothing here reads it.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  timeoutMS: part.isPure ? 10_000 : 20_000,
  incremental: values.incremental,
  incrementalFile: `${folder}.json`,
  tempDirName: folder,
  // With `incremental`, the report is written as the file that it was read from.
  eventReporter: { baseDir: `${folder}-events` },
  reporters: [
    'event-recorder',
    'clear-text',
    'progress-append-only',
    ...(values.incremental ? [] : ['json']),
  ],
  jsonReporter: { fileName: `${folder}.json` },
  thresholds: { high: 90, low: 85, break: 85 },
}).runMutationTest()
