import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { PAGE_PATHS } from '#contract/bff/page-paths.ts'
import { type FirstFiles, findFirstFiles, readFirstFiles } from './first-files.ts'
import { PAGE_HEADERS } from './guards/response-headers.ts'
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
const PAGE_FILE = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
const ALREADY_COMPRESSED = new Set(['.png', '.webp', '.woff2'])
const SIBLINGS = [
  { suffix: '.br', coding: 'br' },
  { suffix: '.gz', coding: 'gzip' },
] as const

export type StaticFiles = {
  firstFiles: FirstFiles
  /** The file at a URL path; null where none is. */
  find(path: string): Representation | null
  /** The app's page for the path of a page, whatever its last segment looks like; null where the app is not built, too. */
  findPage(path: string): Representation | null
}

/**
 * Reads the built app once, with the compressed siblings that the build made. A path is only ever looked up among
 * the files read, so that none can lead out of the folder.
 */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
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
        ...(extension === '.html' && PAGE_HEADERS),
      },
      // Files that the build has compressed are sent so at no cost, however short they are.
      siblings.length > 0 || (!ALREADY_COMPRESSED.has(extension) && isWorthCompressing(bytes)),
    )
    for (const sibling of siblings) file.add(sibling.coding, sibling.bytes)
    files.set(`/${path}`, file)
  }

  const text = files.get('/index.html')?.text
  const firstFiles = readFirstFiles(text ?? '', files.get('/first-files.json')?.text ?? '[]')
  const pages = new Map<string, Representation>()
  for (const path of text === undefined ? [] : PAGE_PATHS) {
    const bytes = Buffer.from(withPreloads(text ?? '', findFirstFiles(firstFiles, path)))
    pages.set(path, new Representation(bytes, { ...PAGE_FILE, ...PAGE_HEADERS }, isWorthCompressing(bytes)))
  }
  return {
    firstFiles,
    find: (path) => files.get(path) ?? null,
    findPage: (path) => pages.get(pagePathOf(path) ?? '') ?? null,
  }
}

/**
 * The page with the scripts that its route begins with: they come beside the app's, and not after it. The first paint needs
 * the style sheet alone, so that comes before all scripts.
 */
function withPreloads(page: string, files: readonly string[]): string {
  const links = files
    .filter((file) => file.endsWith('.js') && !page.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
  return page
    .replace('</head>', () => `${links.join('')}</head>`)
    .replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"')
}

const PAGE_SEGMENTS = PAGE_PATHS.map((path) => ({ path, parts: path.split('/') }))

/** The route of the app's router that has a page there: with or without a slash at the end, in capitals or not. */
function pagePathOf(path: string): string | undefined {
  const segments = path
    .replace(/(?<=.)\/$/, '')
    .toLowerCase()
    .split('/')
  return PAGE_SEGMENTS.find(
    ({ parts }) =>
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith('$') ? segments[at] !== '' : part === segments[at])),
  )?.path
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
