// Checks that each commit compiles and passes lint by itself, so that `git bisect` and `git revert` can be used.
// It reads the commits of the current folder's repository since the last release, but none from before this check, and
// none up to the commit in PASSED, which a run has already checked with all before it.
// The packages installed there serve all of them. Plain JavaScript, for whatever Node the machine has.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SELF = '.ci/check-commits.mjs'
const PASSED = '.ci/passed-commit'
/** Compiler and linter read no other files: a commit without one of these is as sound as the one before it. */
const READ = /\.(?:[cm]?[jt]sx?|json|css)$/
const TREES = 2
const packages = resolve('node_modules')

const folder = mkdtempSync(join(tmpdir(), 'lantern-commits-'))
const trees = Array.from({ length: TREES }, (_, at) => join(folder, `tree-${at}`))
const commits = listCommits()
const read = commits.filter((commit) => changedFiles(commit).length > 0)
const share = Math.ceil(read.length / TREES)
const broken = []
try {
  for (const tree of trees) {
    git('worktree', 'add', '--detach', '--quiet', tree, 'HEAD')
    symlinkSync(packages, join(tree, 'node_modules'))
  }
  // Neighbours differ least, so that each tree's incremental build has little to do.
  const shares = trees.map((tree, at) => checkInOrder(tree, read.slice(at * share, (at + 1) * share)))
  broken.push(...(await Promise.all(shares)).flat())
} finally {
  for (const tree of trees) spawnSync('git', ['worktree', 'remove', '--force', tree])
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
  const sincePassed = readPassed().map((commit) => `^${commit}`)
  return git(
    'rev-list',
    '--reverse',
    '--no-merges',
    'HEAD',
    ...sinceRelease,
    ...sincePassed,
    '--not',
    `${first}^@`,
  )
    .split('\n')
    .filter(Boolean)
}

/** The commit up to which an earlier run found no fault. One that is not in this history counts for nothing. */
function readPassed() {
  if (!existsSync(PASSED)) return []
  const commit = readFileSync(PASSED, 'utf8').trim()
  const { status } = spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { stdio: 'ignore' })
  return status === 0 ? [commit] : []
}

/** The files of a commit that compiler or linter read, among them deleted ones unless a filter leaves them out. */
function changedFiles(commit, ...filter) {
  return git('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', ...filter, commit)
    .split('\n')
    .filter((file) => READ.test(file))
}

/** Reports of the commits that are broken. */
async function checkInOrder(tree, commits) {
  const reports = []
  for (const commit of commits) {
    const faults = await findFaults(tree, commit)
    if (faults) reports.push(`${git('log', '-1', '--format=%h %s', commit)}\n${faults}`)
  }
  return reports
}

/** What the compiler and the linter print of a commit, empty where both are content. */
async function findFaults(tree, commit) {
  git('-C', tree, 'checkout', '--detach', '--force', '--quiet', commit)
  const changed = changedFiles(commit, '--diff-filter=d')
  const faults = await Promise.all([
    run(tree, 'tsc', '-p', '.', '--singleThreaded', '--incremental', '--tsBuildInfoFile', `${tree}.types`),
    changed.length > 0 &&
      run(tree, 'biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed),
  ])
  return faults.filter(Boolean).join('')
}

/** Resolves to what the tool prints of faults, or to nothing where it finds none. */
function run(tree, tool, ...args) {
  // The compiler ends soon: to collect its garbage rarely (GOGC) takes memory, and a third less time.
  const options = { cwd: tree, maxBuffer: 64 * 1024 * 1024, env: { GOGC: '400', ...process.env } }
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
