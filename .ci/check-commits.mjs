// Checks that each commit compiles and passes lint by itself, so that `git bisect` and `git revert` can be used.
// It reads the commits of the current folder's repository since the last release, but none from before this check.
// The packages installed there serve all of them. Plain JavaScript, for whatever Node the machine has.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SELF = '.ci/check-commits.mjs'
const LINTED = /\.(?:[cm]?[jt]sx?|json|css)$/
const packages = resolve('node_modules')

const folder = mkdtempSync(join(tmpdir(), 'lantern-commits-'))
const tree = join(folder, 'tree')
const commits = listCommits()
const broken = []
try {
  git('worktree', 'add', '--detach', '--quiet', tree, 'HEAD')
  symlinkSync(packages, join(tree, 'node_modules'))
  for (const commit of commits) {
    const faults = await findFaults(commit)
    if (faults) broken.push(`${git('log', '-1', '--format=%h %s', commit)}\n${faults}`)
  }
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', tree])
  rmSync(folder, { recursive: true, force: true })
}
for (const report of broken) console.log(report)
console.log(`${commits.length} commits checked, ${broken.length} of them do not compile or pass lint`)
process.exitCode = broken.length > 0 ? 1 : 0

/** Oldest first. A commit from before this check may be broken, and nobody can mend it. */
function listCommits() {
  const first = git('log', '--diff-filter=A', '--format=%H', '--', SELF).split('\n').at(-1)
  if (!first) throw new Error(`No commit adds ${SELF}. Fetch the whole history (git fetch --unshallow).`)
  const release = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], {
    encoding: 'utf8',
  })
  const sinceRelease = release.status === 0 ? [`^${release.stdout.trim()}`] : []
  return git('rev-list', '--reverse', '--no-merges', 'HEAD', ...sinceRelease, '--not', `${first}^@`)
    .split('\n')
    .filter(Boolean)
}

/** What the compiler and the linter print of a commit, empty where both are content. */
async function findFaults(commit) {
  git('-C', tree, 'checkout', '--detach', '--force', '--quiet', commit)
  const changed = git('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', '--diff-filter=d', commit)
    .split('\n')
    .filter((file) => LINTED.test(file))
  const faults = await Promise.all([
    run('tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', join(folder, 'types')),
    changed.length > 0 &&
      run('biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed),
  ])
  return faults.filter(Boolean).join('')
}

/** Resolves to what the tool prints of faults, or to nothing where it finds none. */
function run(tool, ...args) {
  const options = { cwd: tree, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((complete) => {
    execFile(join(packages, '.bin', tool), args, options, (error, stdout, stderr) => {
      complete(error ? `${stdout}${stderr}` || `${error.message}\n` : '')
    })
  })
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
