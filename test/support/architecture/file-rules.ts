import { basename } from 'node:path/posix'
import type { SourceFile } from './source-file.ts'

const MAX_LINES = 400
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|config))?\.tsx?$/
/** The router's own grammar. */
const ROUTE_NAME = /^(__root|[a-z0-9$.-]+)(\.test)?\.tsx$/i
const EMPTY_NAMES = /^(utils?|helpers?|common|misc|types|constants)$/

/** Length and name of a file. */
export function findFileFaults({ path, text }: SourceFile): string[] {
  const faults: string[] = []
  const lines = text.trimEnd().split('\n').length
  if (lines > MAX_LINES) faults.push(`${path} has ${lines} lines, more than ${MAX_LINES}`)
  const isRoute = path.startsWith('src/app/routes/')
  if (!(isRoute ? ROUTE_NAME : NAME).test(basename(path))) faults.push(`${path} is not named in kebab-case`)
  const words = path.replace(/\.[^/]*$/, '').split('/')
  // A folder may hold an index; a file of that name is a barrel.
  const empty = words.find(
    (word, at) => EMPTY_NAMES.test(word) || (word === 'index' && at === words.length - 1),
  )
  if (empty && !isRoute) faults.push(`${path} has a name that says nothing: ${empty}`)
  return faults
}
