import * as z from 'zod/mini'

const routesSchema = z.array(z.object({ route: z.string(), files: z.array(z.string()) }))

/** The scripts, styles and fonts with which the app begins: those of every page, and what each route needs besides. */
export type FirstFiles = {
  ofAll: readonly string[]
  routes: readonly { parts: readonly string[]; files: readonly string[] }[]
}

/**
 * Reads the app's page, which names what every page begins with, and the build's list of what each route needs besides.
 * Routes are named as the app's router names their files: `threats`, `threats.index`, `threats.$id`.
 */
export function readFirstFiles(page: string, routesJson: string): FirstFiles {
  return {
    ofAll: page.match(/\/assets\/[\w.-]+/g) ?? [],
    routes: routesSchema.parse(JSON.parse(routesJson)).map(({ route, files }) => ({
      parts: route.split('.'),
      files,
    })),
  }
}

export function findFirstFiles({ ofAll, routes }: FirstFiles, path: string): string[] {
  const segments = path.split('/').filter(Boolean)
  const needed = routes.filter(({ parts }) => isOnTheWay(parts, segments)).flatMap(({ files }) => files)
  return [...new Set([...ofAll, ...needed])]
}

/** Returns true if a route draws a path, or the frame around it. */
function isOnTheWay(parts: readonly string[], segments: readonly string[]): boolean {
  const isIndex = parts.at(-1) === 'index'
  const own = isIndex ? parts.slice(0, -1) : parts
  if (isIndex ? own.length !== segments.length : own.length > segments.length) return false
  return own.every((part, at) => part.startsWith('$') || part === segments[at])
}
