import { existsSync } from 'node:fs'
import { startLantern } from '#test/support/start-lantern.ts'
import { FIREFOX, startFirefox } from './firefox.ts'
import { JOURNEYS } from './journeys.ts'
import { createVisitor, type Driver, readLibrary } from './visitor.ts'
import { startWebKit, WEBKIT } from './webkit.ts'

const BROWSERS = [
  { ...FIREFOX, start: startFirefox },
  { ...WEBKIT, start: startWebKit },
]

const here = BROWSERS.filter(({ path }) => existsSync(path))
for (const { name, debian } of BROWSERS.filter((browser) => !here.includes(browser))) {
  console.log(`${name} is not here: apt-get install ${debian}`)
}
if (here.length === 0) process.exit(1)

const lantern = await startLantern()
const library = await readLibrary()
let failures = 0
try {
  for (const { name, start } of here) {
    const driver = await start()
    failures += await walk(name, driver)
    await driver.close()
  }
} finally {
  await lantern.stop()
}
process.exitCode = failures > 0 ? 1 : 0

/** The journeys in their order, and how many failed. */
async function walk(name: string, driver: Driver): Promise<number> {
  const visitor = createVisitor(driver, library)
  let failed = 0
  for (const [journey, go] of Object.entries(JOURNEYS)) {
    try {
      await go(visitor, lantern.url)
      console.log(`✓ ${name}: ${journey}`)
    } catch (error) {
      failed += 1
      console.log(`✗ ${name}: ${journey}: ${error}`)
    }
  }
  return failed
}
