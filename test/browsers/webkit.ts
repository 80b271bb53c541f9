import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, By } from 'selenium-webdriver'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { environmentWith } from '#settings/settings.ts'
import type { Driver } from './visitor.ts'

export const WEBKIT = {
  name: 'WebKit',
  path: '/usr/bin/WebKitWebDriver',
  debian: 'webkit2gtk-driver xvfb',
} as const

const STARTED_WITHIN_MS = 20_000

/** By WebDriver, on a display of its own. */
export async function startWebKit(): Promise<Driver> {
  const port = await findFreePort()
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const child = spawn('xvfb-run', ['-a', WEBKIT.path, `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    env: environmentWith({ LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' }),
  })
  const server = `http://127.0.0.1:${port}`
  await untilAnswering(server)
  const driver = await new Builder()
    .usingServer(server)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build()
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 })
  /** Where nothing that is fixed to an edge covers it. */
  const reach = async (selector: string) => {
    const element = driver.findElement(By.css(selector))
    await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element)
    return element
  }
  return {
    open: (url) => driver.get(url),
    run: (body) => driver.executeScript(body),
    click: async (selector) => (await reach(selector)).click(),
    type: async (selector, text) => (await reach(selector)).sendKeys(text),
    async close() {
      await driver.quit()
      const ended = once(child, 'close')
      if (child.pid) process.kill(-child.pid)
      await ended
    },
  }
}

async function untilAnswering(server: string): Promise<void> {
  const deadline = Date.now() + STARTED_WITHIN_MS
  while (
    !(await fetch(`${server}/status`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error('WebKitWebDriver did not start')
    await sleep(100)
  }
}
