import type { SourceFile } from './source-file.ts'

/** Each circle of files that import one another, named once. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const trail: string[] = []
  const cycles: string[] = []

  const visit = (path: string) => {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push(`${[...trail.slice(start), path].join(' → ')} is a circle`)
    if (start >= 0 || done.has(path)) return
    trail.push(path)
    for (const { target } of byPath.get(path)?.imports ?? []) {
      if (target !== null) visit(target)
    }
    trail.pop()
    done.add(path)
  }
  for (const { path } of files) visit(path)
  return cycles
}
