import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import * as worldShapes from './src/app/features/countries/world-shapes.ts'
import { COUNTRY_CODES } from './src/contract/country.ts'

const FLAGS_FOLDER = fileURLToPath(new URL('3x2/', import.meta.resolve('country-flag-icons/package.json')))
const EVERY_PAGE = /^assets\/(app|rolldown-runtime)-/
const MANY_PAGES = 5
/** Most visits begin here. What these pages do without is in a file of its own. */
const OPENED_FIRST = ['index', 'threats.index']
const REQUESTS = /\/contract\/|-options\.ts$/
const COMPRESSIBLE = /\.(css|html|js|svg|txt)$/

export default defineConfig({
  plugins: [
    tanstackRouter({
      routesDirectory: './src/app/routes',
      generatedRouteTree: './src/app/routeTree.gen.ts',
      routeFileIgnorePattern: String.raw`\.test\.`,
      addExtensions: true,
      quoteStyle: 'single',
      autoCodeSplitting: true,
    }),
    patientImports(),
    react(),
    tailwindcss(),
    flags(),
    drawnWorld(),
    firstFiles(),
    precompress(),
    views(),
  ],
  build: {
    // The oldest browsers that know light-dark(), on which both themes rest.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy permits no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The page has brought these: a list of every part's files need not name them.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !EVERY_PAGE.test(file)),
    },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // Shapes of what only the BFF reads are left out, too: nothing that is imported does anything when it is read.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, in one file: it compresses better than in pieces.
            { name: 'app', test: /src\/app\/main\.tsx$/, priority: 2 },
            // Left alone, each small module becomes a file of some hundred bytes, and over HTTP/1.1 a phone waits a round trip
            // for every six of them. So those that many pages begin with are one file. A larger one would cost pages that do
            // without, and charts are of few pages.
            {
              debugName: 'many pages',
              name: (id, modules) => {
                const pages = pagesWith(id, modules)
                if (pages.size < MANY_PAGES) return null
                return OPENED_FIRST.some((page) => pages.has(page)) ? 'shared' : 'shared-parts'
              },
              test: /src\/app\/(ui(?!\/chart)|format|api)\/|@tanstack|contract\/(category|severity)/,
              maxModuleSize: 2_500,
              priority: 1,
            },
            // What the same few pages begin with is two files: what they request, which later parts of other pages need, too, and
            // what they draw.
            {
              debugName: 'few pages',
              name: (id, modules) => {
                const pages = [...pagesWith(id, modules)].sort()
                const isDrawn = !REQUESTS.test(id)
                return pages.length > 1 && pages.length < MANY_PAGES ? nameOf(`${pages} ${isDrawn}`) : null
              },
              test: /src\/(app|contract|matcher)\//,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})

/**
 * Lets whoever imports a part of the app wait where it cannot be had: `src/app/api/import-part.ts`. Here and not by hand,
 * because the router writes imports of its own, which reload the page when they fail.
 */
function patientImports(): Plugin {
  return {
    name: 'lantern:patient-imports',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/app\/.*\.tsx?(\?|$)/, code: /\bimport\(/ },
      async handler(code, importer) {
        const specifiers = [...new Set([...code.matchAll(DYNAMIC_IMPORT)].map((found) => found[2] ?? ''))]
        const resolved = await Promise.all(specifiers.map((specifier) => this.resolve(specifier, importer)))
        const names = new Map(specifiers.map((specifier, at) => [specifier, nameOf(resolved[at]?.id)]))
        const wrapped = code.replace(
          DYNAMIC_IMPORT,
          (found, _quote, specifier) => `importPart('${names.get(specifier)}', () => ${found})`,
        )
        return { code: `import { importPart } from '#app/api/import-part.ts';${wrapped}`, map: null }
      },
    },
  }
}

const DYNAMIC_IMPORT = /\bimport\((['"])(.+?)\1\)/g

/** Of a part, short and the same for all who import it. */
function nameOf(id = ''): string {
  return createHash('sha256')
    .update(id.replace(import.meta.dirname, ''))
    .digest('base64url')
    .slice(0, 6)
}

/** Serves the flags of the countries we know as `/flags/DE.svg`: files of our own origin, and none in the script. */
function flags(): Plugin {
  const known = new Set(COUNTRY_CODES.map((code) => `${code}.svg`))
  const names = readdirSync(FLAGS_FOLDER).filter((name) => known.has(name))
  return {
    name: 'lantern:flags',
    configureServer({ middlewares }) {
      middlewares.use('/flags', (request, response, next) => {
        const name = request.url?.slice(1) ?? ''
        if (!names.includes(name)) return next()
        response.setHeader('content-type', 'image/svg+xml')
        response.end(readFileSync(join(FLAGS_FOLDER, name)))
      })
    },
    // Copied, not emitted: 250 lines less in the build's report.
    async writeBundle({ dir = 'dist' }) {
      await mkdir(join(dir, 'flags'), { recursive: true })
      await Promise.all(names.map((name) => copyFile(join(FLAGS_FOLDER, name), join(dir, 'flags', name))))
    },
  }
}

/** Draws the map of the world while building: neither the atlas nor what projects it is sent to anyone. */
function drawnWorld(): Plugin {
  const exports = Object.entries(worldShapes).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
  )
  return {
    name: 'lantern:drawn-world',
    load: { filter: { id: /\/countries\/world-shapes\.ts$/ }, handler: () => exports.join('\n') },
  }
}

/** The routes whose pages begin with a module. What they import later does not count. */
function pagesWith(
  id: string,
  modules: { getModuleInfo(id: string): { importers: readonly string[] } | null },
  seen = new Set<string>(),
): Set<string> {
  seen.add(id)
  const [, route] = ROUTE_COMPONENT.exec(id) ?? []
  if (route !== undefined) return new Set([route])
  const importers = modules.getModuleInfo(id)?.importers ?? []
  return new Set(
    importers.flatMap((importer) => (seen.has(importer) ? [] : [...pagesWith(importer, modules, seen)])),
  )
}

/**
 * Writes which files each route begins with: the sign-in page fetches them while a person types. What a page imports
 * later, such as charts, is left out.
 */
function firstFiles(): Plugin {
  return {
    name: 'lantern:first-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const follow = (fileName: string, found: Set<string>) => {
        if (found.has(fileName)) return
        found.add(fileName)
        for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
          follow(next, found)
      }
      const pages = chunks.flatMap(({ fileName, moduleIds }) =>
        moduleIds.flatMap((id) => {
          const [, route] = ROUTE_COMPONENT.exec(id) ?? []
          if (route === undefined) return []
          const files = new Set<string>()
          follow(fileName, files)
          return [{ route, files: [...files].map((file) => `/${file}`) }]
        }),
      )
      this.emitFile({ type: 'asset', fileName: 'first-files.json', source: JSON.stringify(pages) })
    },
  }
}

const ROUTE_COMPONENT = /\/src\/app\/routes\/([^/]+)\.tsx\?tsr-split=component$/

/** Serves every state of every page at `/views` while developing, drawn from fixtures; never a part of the build. */
function views(): Plugin {
  return {
    name: 'lantern:views',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        request.url = request.url?.replace(/^\/views(?=\?|$)/, '/test/views/index.html')
        next()
      })
    },
  }
}

/** Writes a .br and a .gz beside each text file, so that no server compresses the same bytes twice. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'lantern:precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
        await Promise.all(files.map(writeCompressed))
      },
    },
  }
}

async function writeCompressed(file: string): Promise<void> {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
