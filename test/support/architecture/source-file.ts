import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { type ParseResult, parseSync } from 'vite'

export type Import = {
  /** As written. */
  specifier: string
  /** The file of ours that it means, from the root of the repository; null for a package. */
  target: string | null
  line: number
}

export type SourceFile = {
  /** From the root of the repository. */
  path: string
  text: string
  imports: Import[]
  syntax: ParseResult
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCE = /\.tsx?$/
const GENERATED = /\.gen\.ts$/

/** Every source file that git knows or would take in. */
export function readSourceFiles(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((path) => SOURCE.test(path) && !GENERATED.test(path) && existsSync(join(ROOT, path)))
    .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')))
}

export function parseSource(path: string, text: string): SourceFile {
  const syntax = parseSync(path, text)
  const { staticImports, staticExports, dynamicImports } = syntax.module
  const specifiers = [
    ...staticImports.map(({ moduleRequest: { value, start } }) => ({ specifier: value, start })),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, start: moduleRequest.start }] : [],
      ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: text.slice(start + 1, end - 1),
      start,
    })),
  ]
  const imports = specifiers.map(({ specifier, start }) => ({
    specifier,
    target: resolveSpecifier(path, specifier),
    line: lineAt(text, start),
  }))
  return { path, text, imports, syntax }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function resolveSpecifier(from: string, specifier: string): string | null {
  if (specifier.startsWith('#test/') || specifier === '#package.json') return specifier.slice(1)
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  return null
}
