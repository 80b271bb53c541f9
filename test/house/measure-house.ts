import { environmentSchema } from '#settings/settings.ts'
import type { SourceFile } from '../support/architecture/source-file.ts'

/** A figure of the codebase, and the most that it should be. */
export type Figure = { name: string; value: number; most: number }

type Sizes = { lines: number; files: number; median: number }

const TEST = /\.(?:test|spec)\.tsx?$|^test\//
const PRODUCTION = /^(?:src|bin)\//
const APP = /^src\/(?:app|contract|matcher)\//
const FEED = { browser: 'src/app/routes/threats.index.tsx', server: 'src/bff/pages/threats/threat-routes.ts' }

/**
 * Measures what makes the code easy or hard to inherit. A line is a line of a `.ts` or `.tsx` file, blank ones and
 * comments included; generated files do not count.
 */
export function measureHouse(files: readonly SourceFile[], readme: string): Figure[] {
  const production = files.filter(({ path }) => PRODUCTION.test(path) && !TEST.test(path))
  const tests = files.filter(({ path }) => TEST.test(path))
  const written = sizesOf(production)
  const tested = sizesOf(tests)
  const graph = drawRooms(production)
  const longest = Math.max(...production.map(linesOf))
  return [
    { name: 'production lines', value: written.lines, most: 64_000 },
    { name: 'production files', value: written.files, most: 880 },
    { name: 'median file, lines', value: written.median, most: 90 },
    { name: 'longest file, lines', value: longest, most: 400 },
    { name: 'lines of tests', value: tested.lines, most: 44_000 },
    {
      name: 'lines of tests for 100 of production',
      value: Math.round((100 * tested.lines) / written.lines),
      most: 70,
    },
    {
      name: 'lines of benches',
      value: sizesOf(files.filter(({ path }) => path.startsWith('bench/'))).lines,
      most: 3_500,
    },
    { name: 'settings', value: Object.keys(environmentSchema.shape).length, most: 30 },
    { name: 'rooms', value: graph.rooms.size, most: 18 },
    { name: 'imports between rooms', value: graph.arrows.size, most: 45 },
    { name: 'files of the threats feature', value: countFeed(production), most: 45 },
    {
      name: 'files behind the feed, browser',
      value: closureOf(FEED.browser, production, APP).size,
      most: 180,
    },
    {
      name: 'files behind the feed, server',
      value: closureOf(FEED.server, production, PRODUCTION).size,
      most: 110,
    },
    {
      name: 'factories (function createX)',
      value: countMatches(production, /\bfunction create[A-Z]/g),
      most: 40,
    },
    { name: 'types picked from others (Pick<)', value: countMatches(production, /\bPick</g), most: 40 },
    { name: 'README, lines', value: readme.trimEnd().split('\n').length, most: 150 },
    { name: 'README, words', value: readme.split(/\s+/).filter(Boolean).length, most: 1_200 },
  ]
}

/** The files that a file needs, itself included, as far as they lie within `room`. Types count: a reader follows them too. */
export function closureOf(start: string, files: readonly SourceFile[], room: RegExp): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const found = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = byPath.get(path)
    if (!file || found.has(path)) continue
    found.add(path)
    open.push(...file.imports.flatMap(({ target }) => (target && room.test(target) ? [target] : [])))
  }
  return found
}

/** The rooms of `src`, which are its folders, and the imports between them, each once however many files use it. */
export function drawRooms(files: readonly SourceFile[]): { rooms: Set<string>; arrows: Set<string> } {
  const rooms = new Set<string>()
  const arrows = new Set<string>()
  for (const { path, imports } of files) {
    if (!path.startsWith('src/')) continue
    const room = roomOf(path)
    rooms.add(room)
    for (const { target } of imports) {
      if (target?.startsWith('src/') && roomOf(target) !== room) arrows.add(`${room} -> ${roomOf(target)}`)
    }
  }
  return { rooms, arrows }
}

function roomOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

function sizesOf(files: readonly SourceFile[]): Sizes {
  const sizes = files.map(linesOf).sort((a, b) => a - b)
  return {
    lines: sizes.reduce((sum, size) => sum + size, 0),
    files: sizes.length,
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
  }
}

function linesOf({ text }: SourceFile): number {
  return text.trimEnd().split('\n').length
}

function countFeed(files: readonly SourceFile[]): number {
  return files.filter(({ path }) => path.startsWith('src/app/features/threats/')).length
}

function countMatches(files: readonly SourceFile[], pattern: RegExp): number {
  return files.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0)
}
