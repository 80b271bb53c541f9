import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BACKTESTS, EXPORTS } from '#bff/http/account-limits.ts'
import { EARLIER_PLANS, V1_PLANS } from '#service/plans/plan.ts'
import { environmentSchema } from '#settings/settings.ts'
import { startBlock } from '#start/start-block.ts'

const documents = new Map<string, string>()
for await (const path of glob(['README.md', 'docs/**/*.md', '.github/*.md'])) {
  documents.set(path, await readFile(path, 'utf8'))
}
const read = (path: string) => documents.get(path) ?? ''

/** A path from the root, or, in a picture, from `src`: two folders deep or more, with its ending where it is a file. */
const PATH = /(?<![\w./-])(?:(?:src|test|bench|deploy|docs)\/[\w./$-]*\w|(?:app|bff)\/[\w./$-]+\.tsx?)/g
const LINK = /\]\((?!https?:)(?<target>[^)#]*)(?:#(?<anchor>[^)]+))?\)/g
const SCRIPT = /\bnpm run (?:-s )?(?<name>[a-z][\w:-]*)/g
/** A command of a release, in a code span or at the beginning of a line of code. */
const COMMAND = /(?:`(?:bin\/)?|^(?:[A-Z_]+=\S+ )*|bin\/|&& )lantern (?<name>[a-z][a-z-]*)/gm
const BENCH = /npm run (?:-s )?bench -- (?<names>[^`\n]*)/g
/** Two words in capitals or more, such as a setting has. */
const CAPITALS = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g
const SENTENCE_OF_READER = /^# .+\n\nFor [^\n]+/
/** One or two blocks of code after the file that has them, or whose test has them. */
const EXAMPLES =
  /`(?<path>src\/[\w./-]+\.ts)`[^`]*\n\n(?<code>```ts\n[^`]*(?:`[^`\n]+`[^`]*)*```(?:\n\n```ts\n[^`]*```)?)/g
/** Names in capitals that are no settings of Lantern. */
const OTHERS = [
  ...[
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'LANTERN_OWNER_PASSWORD',
    'LANTERN_RUNTIME_PASSWORD',
  ],
  ...['ACCOUNT_ID', 'ON_ERROR_STOP', 'TIMEOUT_MS'],
]

const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(await readFile('package.json', 'utf8'))).scripts

function findAll(pattern: RegExp, group: string): [string, string][] {
  return [...documents].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map((match): [string, string] => [path, match.groups?.[group] ?? match[0]]),
  )
}

test('documents spell email without a hyphen', () => {
  expect(findAll(/\be-mail/gi, 'word')).toEqual([])
})

test('every file, folder, page and heading that the documents name is there', () => {
  const missing: string[] = []
  for (const [document, text] of documents) {
    for (const [path] of text.matchAll(PATH)) {
      const file = /^(app|bff)\//.test(path) ? `src/${path}` : path
      if (!existsSync(file)) missing.push(`${document}: ${path}`)
    }
    for (const { groups } of text.matchAll(LINK)) {
      const target = groups?.target ? join(dirname(document), groups.target) : document
      const anchor = groups?.anchor
      if (!existsSync(target)) missing.push(`${document}: ${target}`)
      else if (anchor && !findAnchors(read(target)).includes(anchor))
        missing.push(`${document}: ${target}#${anchor}`)
    }
  }
  expect(findAll(PATH, '').length).toBeGreaterThan(400)
  expect(missing).toEqual([])
})

test('every page that code and settings name is there', async () => {
  const missing: string[] = []
  for await (const path of glob([
    '{src,test,bench,deploy,bin}/**/*.{ts,tsx,mjs,sql,env,service,yml,yaml}',
    'bin/*',
  ])) {
    const named = (await readFile(path, 'utf8')).matchAll(/\bdocs\/[\w/-]+\.md\b/g)
    missing.push(...[...named].filter(([page]) => !existsSync(page)).map(([page]) => `${path}: ${page}`))
  }
  expect(missing).toEqual([])
})

test('every command that the documents name exists', () => {
  const named = findAll(SCRIPT, 'name')
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(([, name]) => !(name in scripts))).toEqual([])
  const commands = findAll(COMMAND, 'name').filter(([, name]) => name !== 'help')
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter(([, name]) => !/src\/[\w/-]+\.ts/.test(scripts[name] ?? ''))).toEqual([])
})

test('every bench that the documents name exists, and each bench is named', async () => {
  const source = await readFile('bench/main.ts', 'utf8')
  const [, table = ''] = source.split('const BY_LANTERN')
  const benches = [...(table.split('const NAMES')[0] ?? '').matchAll(/^ {2}'?(?<name>[\w-]+)'?:/gm)].map(
    ({ groups }) => groups?.name ?? '',
  )
  const named = findAll(BENCH, 'names').flatMap(([path, names]) =>
    names
      .replace(/--[\w-]+ \S+|[.)|].*/g, '')
      .split(/\s+/)
      .filter((name) => /^[a-z]/.test(name))
      .map((name) => [path, name]),
  )
  expect(named.filter(([, name = '']) => !benches.includes(name))).toEqual([])
  const testing = read('docs/contributing/testing.md')
  expect(benches.filter((name) => !new RegExp(`\`${name}(?: --[^\`]*)?\``).test(testing))).toEqual([])
})

test('every setting that the documents name exists', () => {
  const known: readonly string[] = [...z.keyof(environmentSchema).options, ...OTHERS]
  const named = findAll(CAPITALS, '')
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter(([, name]) => !known.includes(name))).toEqual([])
})

test('the README gives each setting its default', () => {
  const rows = [
    ...read('README.md').matchAll(/^\| (?<names>`[A-Z_]+`(?:, `[A-Z_]+`)*) \| (?<defaults>`[^|]+) \|/gm),
  ]
  expect(rows.length).toBeGreaterThan(2)
  for (const { groups } of rows) {
    const names = groups?.names?.replaceAll('`', '').split(', ') ?? []
    const defaults = groups?.defaults?.replaceAll('`', '').split(', ') ?? []
    for (const [at, name] of names.entries()) {
      expect(read('docs/operating/settings.md')).toContain(`| \`${name}\` | \`${defaults[at]}\` |`)
    }
  }
})

test('the README shows what the first start prints', () => {
  const block = startBlock(
    {
      publicUrl: 'http://localhost:4173',
      signInLink: 'http://localhost:4173/sign-in#link=…',
      firstAccount: { email: 'admin@lantern.example', password: '…', isPasswordGenerated: true },
      dataDir: '/home/you/lantern/.lantern',
      databases: { embeddedFolder: '/home/you/lantern/.lantern/postgres', embeddedNotice: null },
      rights: { isSuperuser: false, mayMigrate: false },
      isAuditUnpruned: false,
      unknownSettings: [],
      isOtherSecret: false,
      upstream: { url: 'http://127.0.0.1:4174', kind: 'embedded' },
    },
    31_300,
  )
  expect(read('README.md')).toContain(block)
})

test('the examples of the page of style are in the files that it names', async () => {
  const examples = [...read('docs/contributing/style.md').matchAll(EXAMPLES)]
  expect(examples.length).toBeGreaterThan(4)
  const missing: string[] = []
  for (const { groups } of examples) {
    const path = groups?.path ?? ''
    const test = path.replace('.ts', '.test.ts')
    const code = (await readFile(path, 'utf8')) + (existsSync(test) ? await readFile(test, 'utf8') : '')
    const lines = (groups?.code ?? '')
      .replaceAll(/^```(?:ts)?$/gm, '')
      .split('\n')
      .map((line) => line.trim())
    missing.push(
      ...lines
        .filter((line) => !/…|^\/\*\*/.test(line) && !code.includes(line))
        .map((line) => `${path}: ${line}`),
    )
  }
  expect(missing).toEqual([])
})

test('the page of metrics and rules names each alert rule, and no other', async () => {
  const rules = await readFile('deploy/prometheus-rules.yml', 'utf8')
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const named = [...read('docs/operating/monitoring.md').matchAll(/`(Lantern\w+)`/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(alerts))
})

test('every name of a metric, role or notice that the documents name is in the code', async () => {
  let code = ''
  for await (const path of glob(['src/**/*.{ts,sql}', 'deploy/*.*'])) code += await readFile(path, 'utf8')
  const named = findAll(/\blantern_[a-z_]+[a-z]/g, '')
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, name]) => !code.includes(name))).toEqual([])
})

test('the tables of plans and limits have the figures of the code', () => {
  const service = read('docs/operating/service.md')
  for (const [api, plans] of Object.entries({ v1: V1_PLANS, earlier: EARLIER_PLANS })) {
    for (const { label, perMinute, perDay } of Object.values(plans).filter(({ label }) => label !== 'none')) {
      const day = perDay?.toLocaleString('en') ?? '–'
      expect(service).toMatch(
        new RegExp(`\\| ${api}: ${label} \\| [^|]*\\b${perMinute.toLocaleString('en')} \\| ${day} \\|`),
      )
    }
  }
  expect(read('docs/using/guide.md')).toContain(
    `${EXPORTS.atOnce} exports at once and ${EXPORTS.perMinute} a minute, and ${BACKTESTS.atOnce} backtests at once and ${BACKTESTS.perMinute} a minute`,
  )
})

test('the table of retention has the defaults of the settings', () => {
  const { shape } = environmentSchema
  const rows = read('docs/operating/audit-and-retention.md').split('\n')
  for (const name of ['HISTORY_DAYS', 'HISTORY_RECORDS'] as const) {
    const figure = shape[name].def.defaultValue.toLocaleString('en')
    expect(
      rows.filter((row) => row.startsWith('|') && row.includes(`\`${name}\``) && row.includes(figure)),
    ).toHaveLength(1)
  }
})

test('each page begins with its reader, and the list of documents has it', () => {
  const pages = [...documents.keys()].filter((path) =>
    /^docs\/(?!contributing\/decisions\/(?!README))/.test(path),
  )
  expect(pages.filter((path) => !SENTENCE_OF_READER.test(read(path)))).toEqual([])
  const list = read('docs/README.md')
  expect(
    pages.filter((path) => path !== 'docs/README.md' && !list.includes(`(${path.replace('docs/', '')})`)),
  ).toEqual([])
})

test('the README fits on a screen, and the architecture can be read in one sitting', () => {
  const countWords = (path: string) => read(path).split(/\s+/).length
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150)
  expect(countWords('README.md')).toBeLessThanOrEqual(1_200)
  expect(countWords('docs/contributing/architecture.md')).toBeLessThanOrEqual(2_500)
})

/** Of its headings, as GitHub makes them. */
function findAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
