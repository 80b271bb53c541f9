import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'

const SCRIPT = '.ci/check-commits.mjs'
const BIOME = {
  files: { includes: ['src/**'] },
  formatter: { enabled: false },
  linter: { rules: { correctness: { noUnusedVariables: 'error' } } },
}
const run = promisify(execFile)

let repository: string

afterEach(() => rm(repository, { recursive: true, force: true }))

/** A repository of one file beside the check; what stands in it before the check is broken. */
async function startRepository() {
  repository = await mkdtemp(join(tmpdir(), 'lantern-repository-'))
  await git('init', '--quiet')
  await git('config', 'user.name', 'Test')
  await git('config', 'user.email', 'test@example.com')
  await symlink(resolve('node_modules'), join(repository, 'node_modules'))
  await write('.gitignore', 'node_modules\n')
  await write('biome.json', JSON.stringify(BIOME))
  await write('tsconfig.json', '{ "compilerOptions": { "noEmit": true, "types": [] }, "include": ["src"] }\n')
  await commit('broken before the check', `export const count: number = 'one'\n`)
  await mkdir(join(repository, dirname(SCRIPT)))
  await cp(SCRIPT, join(repository, SCRIPT))
  await commit('adds the check', 'export const count: number = 1;\n')
}

async function git(...args: string[]) {
  await run('git', args, { cwd: repository })
}

async function write(file: string, text: string) {
  await mkdir(dirname(join(repository, file)), { recursive: true })
  await writeFile(join(repository, file), text)
}

async function commit(subject: string, code: string) {
  await write('src/count.ts', code)
  await git('add', '--all')
  await git('commit', '--quiet', '--message', subject)
}

async function checkCommits() {
  return run(process.execPath, [SCRIPT], { cwd: repository }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
}

test('passes commits that compile and pass lint, and none from before the check', async () => {
  await startRepository()
  await commit('two', 'export const count: number = 2;\n')

  expect(await checkCommits()).toEqual({
    code: 0,
    stdout: '2 commits checked, 0 of them do not compile or pass lint\n',
  })
})

test('names a commit that a later one mends', async () => {
  await startRepository()
  await commit('wrong type', `export const count: number = "two";\n`)
  await commit('unused variable', 'const two = 2;\nexport const count: number = 2;\n')
  await commit('mended', 'export const count: number = 2;\n')

  const { code, stdout } = await checkCommits()

  expect(code).toBe(1)
  expect(stdout).toMatch(/wrong type\n.*error TS2322/)
  expect(stdout).toMatch(/unused variable\n[\s\S]*noUnusedVariables/)
  expect(stdout).toContain('4 commits checked, 2 of them do not compile or pass lint')
})

test('names a commit that deletes a required file, among commits that change only text', async () => {
  await startRepository()
  await write('src/total.ts', `import { count } from './count'\n\nexport const total = count + 1\n`)
  await commit('total', 'export const count: number = 1;\n')
  for (const text of ['one', 'two', 'three']) {
    await write('README.md', text)
    await git('add', '--all')
    await git('commit', '--quiet', '--message', `text ${text}`)
  }
  await git('rm', '--quiet', 'src/count.ts')
  await git('commit', '--quiet', '--message', 'deleted')

  const { code, stdout } = await checkCommits()

  expect(code).toBe(1)
  expect(stdout).toMatch(/deleted\n.*error TS2307/)
  expect(stdout).toContain('6 commits checked, 1 of them do not compile or pass lint')
})

test('begins after the last release', async () => {
  await startRepository()
  await commit('wrong type', `export const count: number = "two";\n`)
  await commit('mended', 'export const count: number = 2;\n')
  await git('tag', 'v9.0.0')
  await commit('three', 'export const count: number = 3;\n')

  expect(await checkCommits()).toEqual({
    code: 0,
    stdout: '1 commits checked, 0 of them do not compile or pass lint\n',
  })
})

test('begins after the commit that an earlier run has passed, if this history has it', async () => {
  await startRepository()
  await commit('wrong type', `export const count: number = "two";\n`)
  await commit('mended', 'export const count: number = 2;\n')
  const { stdout: passed } = await run('git', ['rev-parse', 'HEAD'], { cwd: repository })
  await write('.ci/passed-commit', passed)
  await commit('three', 'export const count: number = 3;\n')

  expect(await checkCommits()).toEqual({
    code: 0,
    stdout: '1 commits checked, 0 of them do not compile or pass lint\n',
  })

  await write('.ci/passed-commit', `${'0'.repeat(40)}\n`)
  expect((await checkCommits()).stdout).toContain('4 commits checked, 1 of them do not compile or pass lint')
})
