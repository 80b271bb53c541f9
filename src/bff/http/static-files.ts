import { readdir, readFile } from 'node:fs/promises'
import { extname, join, posix, relative, sep } from 'node:path'
import { isWorthCompressing, Representation } from './representation.ts'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
])
const ALREADY_COMPRESSED = new Set(['.png', '.webp', '.woff2'])
const SIBLINGS = [
  { suffix: '.br', coding: 'br' },
  { suffix: '.gz', coding: 'gzip' },
] as const

export type StaticFiles = {
  /**
   * The file at a URL path, or the app's page for a path that names no file. Where files are, a name with a dot is one,
   * except to a browser that navigates; elsewhere ids of records stand, whose dots say nothing.
   */
  find(path: string, isNavigation: boolean): Representation | null
}

/**
 * Reads the built app once, with the compressed siblings that the build made. A path is only ever looked up among
 * the files read, so that none can lead out of the folder.
 */
export async function loadStaticFiles(
  folder: string,
  pageHeaders: Readonly<Record<string, string>>,
): Promise<StaticFiles> {
  const files = new Map<string, Representation>()
  for (const path of await listFiles(folder)) {
    const extension = extname(path)
    const type = TYPES.get(extension)
    if (!type) continue
    const bytes = await readFile(join(folder, path))
    const siblings = await readSiblings(join(folder, path))
    const file = new Representation(
      bytes,
      {
        'content-type': type,
        'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
        ...(extension === '.html' && pageHeaders),
      },
      // What the build has compressed costs nothing to send so, however short it is.
      siblings.length > 0 || (!ALREADY_COMPRESSED.has(extension) && isWorthCompressing(bytes)),
    )
    for (const sibling of siblings) file.add(sibling.coding, sibling.bytes)
    files.set(`/${path}`, file)
  }

  const page = files.get('/index.html') ?? null
  const folders = new Set([...files.keys()].map((path) => posix.dirname(path)))
  return {
    find(path, isNavigation) {
      const isNamedAsFile = folders.has(posix.dirname(path)) && /\.[^/]*$/.test(path)
      const isPage = !path.startsWith('/assets/') && (isNavigation || !isNamedAsFile)
      return files.get(path) ?? (isPage ? page : null)
    },
  }
}

async function readSiblings(path: string) {
  const read = SIBLINGS.map(async ({ suffix, coding }) => {
    const bytes = await readFile(path + suffix).catch(() => null)
    return bytes ? [{ coding, bytes }] : []
  })
  return (await Promise.all(read)).flat()
}

/** Paths with forward slashes, relative to the folder; none when the app is not built. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
