import type { SourceFile } from './source-file.ts'

/** A part of the house: what lies in it, and what it may use. The first that fits a path is the path's. */
type Room = {
  name: string
  holds: RegExp
  /** Names of rooms; its own is always among them. */
  mayUse: readonly string[]
  /** Packages, by how their names begin; all where absent. */
  packages?: readonly string[]
}

const CONTRACT_FOR_APP = ['contract', 'contract/bff']
const EVERY_CONTRACT = [...CONTRACT_FOR_APP, 'contract/upstream']
const SERVER = ['node:', 'zod/mini', 'hono', '@hono/node-server']
/** What a server may keep in memory, it keeps in there. */
const CACHING = [...SERVER, 'lru-cache']
const FACTORS = ['@simplewebauthn/browser', 'qr']
const MAP = ['d3-geo', 'topojson-client', 'topojson-specification', 'world-atlas/']
const BROWSER = [
  'react',
  'react-dom',
  '@tanstack/',
  'zod/mini',
  '@fontsource-variable/',
  'recharts',
  'papaparse',
  ...MAP,
  ...FACTORS,
]
const APP = ['app', 'app/routes', 'app/features', 'app/ui', 'app/api', 'app/format']

const BELOW_BFF = [...EVERY_CONTRACT, 'matcher', 'database', 'server', 'delivery']
/** In this order: each may use those before it, and a page no other page. */
const BFF_ROOMS = [
  { name: 'bff/http', packages: CACHING },
  { name: 'bff/time', packages: [] },
  { name: 'bff/notify', packages: ['node:', 'zod/mini'] },
  {
    name: 'bff/accounts',
    packages: [...SERVER, 'openid-client', 'jose', '@zxcvbn-ts/', '@simplewebauthn/server', 'otplib'],
  },
  { name: 'bff/upstream', packages: [...CACHING, 'undici'] },
  { name: 'bff/store', packages: [...CACHING, 'pg', 'tldts'] },
  { name: 'bff/alerts', packages: ['node:', 'zod/mini'] },
  { name: 'bff/telemetry', packages: ['node:', 'prom-client', 'zod/mini'] },
  { name: 'bff/pages', packages: [...CACHING, 'sharp', 'undici'] },
].map(
  ({ name, packages }, at, rooms): Room => ({
    name,
    holds: new RegExp(`^src/${name}/`),
    mayUse: [...BELOW_BFF, ...rooms.slice(0, at).map((room) => room.name)],
    packages,
  }),
)

const EVERY_BFF = ['bff', ...BFF_ROOMS.map(({ name }) => name)]

const ROOMS: readonly Room[] = [
  {
    name: 'entry',
    holds: /^src\/(?:main\.ts$|commands\/)/,
    mayUse: ['start', 'settings', 'service', 'database', 'bff/accounts', 'backup'],
  },
  {
    name: 'settings',
    holds: /^src\/settings\//,
    mayUse: ['contract', 'contract/bff'],
    packages: ['node:', 'zod/mini'],
  },
  {
    name: 'start',
    holds: /^src\/start\//,
    mayUse: ['settings', 'database', 'server', 'delivery', 'service', 'backup', ...EVERY_BFF],
  },
  { name: 'contract/bff', holds: /^src\/contract\/bff\//, mayUse: ['contract'], packages: ['zod/mini'] },
  {
    name: 'contract/upstream',
    holds: /^src\/contract\/upstream\//,
    mayUse: ['contract'],
    packages: ['zod/mini'],
  },
  { name: 'contract', holds: /^src\/contract\//, mayUse: [], packages: ['zod/mini'] },
  { name: 'matcher', holds: /^src\/matcher\//, mayUse: EVERY_CONTRACT, packages: ['zod/mini'] },
  { name: 'database', holds: /^src\/database\//, mayUse: ['server'], packages: ['node:', 'zod/mini', 'pg'] },
  { name: 'backup', holds: /^src\/backup\//, mayUse: ['database'], packages: ['node:', 'zod/mini'] },
  { name: 'server', holds: /^src\/server\//, mayUse: ['contract'], packages: ['node:', 'undici'] },
  {
    name: 'delivery',
    holds: /^src\/delivery\//,
    mayUse: [...CONTRACT_FOR_APP, 'matcher', 'database', 'server'],
    packages: ['node:', 'zod/mini', 'pg', 'nodemailer'],
  },
  {
    name: 'service',
    holds: /^src\/service\//,
    mayUse: [...EVERY_CONTRACT, 'matcher', 'database', 'server'],
    packages: [...CACHING, 'sharp'],
  },
  ...BFF_ROOMS,
  // Start and compose know all rooms; they stand in none.
  {
    name: 'bff',
    holds: /^src\/bff\//,
    mayUse: [...BELOW_BFF, ...EVERY_BFF],
    packages: SERVER,
  },
  {
    name: 'app/routes',
    holds: /^src\/app\/routes\//,
    mayUse: [...APP, ...CONTRACT_FOR_APP, 'matcher'],
    packages: BROWSER,
  },
  {
    name: 'app/features',
    holds: /^src\/app\/features\//,
    mayUse: ['app/ui', 'app/api', 'app/format', ...CONTRACT_FOR_APP, 'matcher'],
    packages: BROWSER,
  },
  { name: 'app/ui', holds: /^src\/app\/ui\//, mayUse: ['app/format', 'contract'], packages: BROWSER },
  { name: 'app/format', holds: /^src\/app\/format\//, mayUse: ['app/ui', 'contract'], packages: BROWSER },
  { name: 'app/api', holds: /^src\/app\/api\//, mayUse: CONTRACT_FOR_APP, packages: BROWSER },
  { name: 'app', holds: /^src\/app\//, mayUse: [...APP, ...CONTRACT_FOR_APP, 'matcher'], packages: BROWSER },
]

const TEST = /\.test\.tsx?$/
/** Query keys and query options: all that one feature may know of another. */
const OPTIONS = /^src\/app\/features\/[^/]+\/[^/]+-options\.ts$/
/** Parts of a room that never use each other: two of them meet in whoever composes them. */
const PART = /^src\/(?:app\/features|bff\/pages)\/(?<part>[^/]+)\//
/** Features that the others are made of. Each may use those before it, and all others may use each of them. */
const SHARED_FEATURES = ['session', 'source', 'periods', 'trends', 'triage', 'export', 'subject', 'concerns']

/**
 * Which imports cross a wall. Tests, beside their subject, may also use what lies in test, any package, and all of their
 * server: they go through its front door.
 */
export function findForbiddenImports({ path, imports }: SourceFile): string[] {
  const room = roomOf(path)
  if (!room) return []
  const isTest = TEST.test(path)
  return imports.flatMap(({ specifier, target, line }) => {
    const isAllowed =
      target === null
        ? isTest || mayUsePackage(room, specifier)
        : (isTest && (target.startsWith('test/') || isOfOneServer(path, target))) ||
          mayUseFile(room, path, target)
    return isAllowed ? [] : [`${path}:${line} ${room.name} may not import ${specifier}`]
  })
}

function isOfOneServer(path: string, target: string): boolean {
  return path.startsWith('src/bff/') && target.startsWith('src/bff/')
}

function mayUseFile(room: Room, path: string, target: string): boolean {
  // For the version.
  if (target === 'package.json') return room.packages?.includes('node:') ?? true
  const used = roomOf(target)
  if (!used) return false
  if (used !== room) return room.mayUse.includes(used.name)
  if (OPTIONS.test(target)) return true
  const [part, usedPart] = [partOf(path), partOf(target)]
  return part === usedPart || (room.name === 'app/features' && isShared(part, usedPart))
}

function partOf(path: string): string {
  return PART.exec(path)?.groups?.part ?? ''
}

function isShared(part: string, usedPart: string): boolean {
  const rank = SHARED_FEATURES.indexOf(part)
  const usedRank = SHARED_FEATURES.indexOf(usedPart)
  return usedRank >= 0 && (rank < 0 || usedRank < rank)
}

function mayUsePackage({ packages }: Room, specifier: string): boolean {
  if (specifier === 'zod') return false
  return (
    packages === undefined ||
    packages.some((name) =>
      /[:/]$/.test(name)
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    )
  )
}

function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ holds }) => holds.test(path))
}
