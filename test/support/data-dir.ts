import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded } from '#database/embedded/start-embedded.ts'

/** Where the workers of a run find its empty cluster. They inherit it. */
const EMPTY_CLUSTER = 'LANTERN_TEST_EMPTY_CLUSTER'

/** An empty one, within reach of the user that PostgreSQL runs as when tests run as root. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-data-'))
  await chmod(folder, 0o711)
  return folder
}

/** One whose cluster is made but empty: initdb takes most of a first start. */
export async function makePreparedDataDir(): Promise<string> {
  const folder = await makeDataDir()
  const from = process.env[EMPTY_CLUSTER]
  // With owners and modes: in a run of root PostgreSQL's files are another user's.
  if (from) await promisify(execFile)('cp', ['-a', `${from}/.`, folder])
  return folder
}

/** For the makePreparedDataDir of a whole run; without it that gives an empty one. Returns what removes it. */
export async function prepareEmptyCluster(): Promise<() => Promise<void>> {
  const folder = await makeDataDir()
  const { stop } = await startEmbedded(folder)
  await stop()
  process.env[EMPTY_CLUSTER] = folder
  return () => rm(folder, { recursive: true, force: true })
}
