import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { CHILD_ENVIRONMENT } from '#database/embedded/child-environment.ts'
import packageFacts from '#package.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const UNKNOWN = 'unknown'
/** npm names the member so; `npm run release` adds it. */
const packageSchema = z.object({ version: z.string(), gitHead: z.optional(z.string()) })

/** Identifies the code. The commit is the release's, else that of the clone, with `-dirty` if files differ from it. */
export async function readBuild(root = ROOT, facts: unknown = packageFacts) {
  const { version, gitHead } = packageSchema.parse(facts)
  return { version, commit: gitHead ?? (await describeClone(root)) ?? UNKNOWN }
}

async function describeClone(root: string): Promise<string | null> {
  if (!existsSync(join(root, '.git'))) return null
  // It may belong to another user than runs it, as does the code that runs.
  const words = [
    '-c',
    'safe.directory=*',
    '--no-optional-locks',
    'describe',
    '--always',
    '--dirty',
    '--abbrev=12',
    '--exclude=*',
  ]
  return promisify(execFile)('git', words, { cwd: root, env: CHILD_ENVIRONMENT }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}
