import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestBff } from '#test/support/ask-bff.ts'
import { openPage } from '#test/support/sign-in-form.ts'
import { withDatabase } from '#test/support/with-database.ts'

async function makeApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-app-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), '<script src="/assets/app-4f3a.js"></script>')
  return folder
}

test(
  'redirects a signed-out browser to sign-in before the app, and returns it afterwards',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { staticFolder: await makeApp() })
    const placeOf = async (address: string, site?: string) => {
      const page = await openPage(bff, address, site)
      return page.headers.get('location') ?? (await page.text()).includes('/assets/app')
    }
    const deep = '/threats?country=DE&q=a%20b'
    const there = `/sign-in?${new URLSearchParams({ redirect: deep })}`

    expect(await placeOf(deep)).toBe(there)
    expect(await placeOf(deep, 'cross-site')).toBe(there)
    expect(await placeOf('/')).toBe('/sign-in')
    // Not a browser that opens a page: it gets what it asks for.
    expect((await bff.ask('/threats')).status).toBe(200)

    await bff.signIn()
    expect(await placeOf(deep)).toBe(true)
    expect(await placeOf('/sign-in/second-factor')).toBe('/')
    // Another site's request carries no session cookie, but another cookie shows that there is a session.
    const session = bff.cookies.get('lantern_sid') ?? ''
    bff.cookies.delete('lantern_sid')
    expect(await placeOf(deep, 'cross-site')).toBe(true)
    expect(await placeOf(deep, 'same-origin')).toBe(there)

    bff.cookies.set('lantern_sid', session)
    await bff.ask('/bff/sign-out', { body: {} })
    expect(bff.cookies.has('lantern_hint')).toBe(false)
    expect(await placeOf(deep, 'cross-site')).toBe(there)
  }),
)

test(
  'a session that ended on the server counts as none, and its hint is deleted',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { staticFolder: await makeApp() })
    await bff.signIn()
    await database.query('delete from session')
    bff.sessions.forgetAll()
    expect((await openPage(bff, '/threats')).headers.get('location')).toBe('/sign-in?redirect=%2Fthreats')
    await openPage(bff, '/sign-in')
    expect(bff.cookies.has('lantern_hint')).toBe(false)
  }),
)

test(
  'the form prefetches the scripts of the page that follows, and of no other',
  withDatabase('bff', async (database) => {
    const staticFolder = await makeApp()
    const routes = ['index', 'threats', 'threats.index', 'threats.$id', 'settings.index'].map((route) => ({
      route,
      files: ['/assets/app-4f3a.js', `/assets/of-${route.replace('$', '_')}.js`],
    }))
    await writeFile(join(staticFolder, 'first-files.json'), JSON.stringify(routes))
    const bff = await createTestBff(database, { staticFolder })
    const prefetched = async (redirect: string) => {
      const page = await (await openPage(bff, `/sign-in?${new URLSearchParams({ redirect })}`)).text()
      return [...page.matchAll(/rel="prefetch" href="\/assets\/([^"]+)\.js" as="script"/g)].map(
        ([, name]) => name,
      )
    }
    expect(await prefetched('')).toEqual(['app-4f3a', 'of-index'])
    expect(await prefetched('/threats?q=settings')).toEqual(['app-4f3a', 'of-threats', 'of-threats.index'])
    expect(await prefetched('/threats/a%2Fb')).toEqual(['app-4f3a', 'of-threats', 'of-threats._id'])
    expect(await prefetched('/nowhere')).toEqual(['app-4f3a'])
  }),
)
