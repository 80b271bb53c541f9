import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What a browser's driver can do; all else is built on it. */
export type Driver = {
  open(url: string): Promise<void>
  /** Runs the body of a function in the page and answers what it returns. */
  run(body: string): Promise<unknown>
  click(selector: string): Promise<void>
  type(selector: string, text: string): Promise<void>
  close(): Promise<void>
}

const FOUND_WITHIN_MS = 20_000
const LIBRARY = fileURLToPath(
  new URL('../../node_modules/@testing-library/dom/dist/@testing-library/dom.umd.js', import.meta.url),
)

/** Somebody at a browser: finds things by their role and name, as a person does. */
export function createVisitor(driver: Driver, library: string) {
  let found = 0

  async function until(what: string, look: () => Promise<unknown>): Promise<void> {
    const deadline = Date.now() + FOUND_WITHIN_MS
    while (!(await look())) {
      if (Date.now() > deadline) throw new Error(`${what} within ${FOUND_WITHIN_MS / 1_000} s`)
      await sleep(100)
    }
  }

  /** A selector of the first thing in sight of this role whose name fits the pattern. */
  async function find(role: string, name: string): Promise<string> {
    found += 1
    await until(`No ${role} named ${name}`, async () => {
      if (!(await driver.run('return globalThis.TestingLibraryDom !== undefined'))) await driver.run(library)
      return driver.run(`
        const things = TestingLibraryDom.queryAllByRole(document.body, ${JSON.stringify(role)}, { name: new RegExp(${JSON.stringify(name)}) })
        const thing = things.find((each) => each.checkVisibility())
        thing?.setAttribute('data-found', '${found}')
        return thing !== undefined`)
    })
    return `[data-found="${found}"]`
  }

  const has = (condition: string) =>
    until(`Not so: ${condition}`, () => driver.run(`return Boolean(${condition})`))

  return {
    open: driver.open,
    sees: async (role: string, name: string) => void (await find(role, name)),
    press: async (role: string, name: string) => driver.click(await find(role, name)),
    fill: async (role: string, name: string, text: string) => driver.type(await find(role, name), text),
    reads: (text: string) =>
      until(`No text “${text}”`, () =>
        driver.run(`return document.body.innerText.includes(${JSON.stringify(text)})`),
      ),
    isAt: (address: RegExp) =>
      until(`Not at ${address}`, async () => address.test(String(await driver.run('return location.href')))),
    /** Where what is pressed has no name that could be known. */
    async pressAt(selector: string) {
      await has(`document.querySelector(${JSON.stringify(selector)})`)
      await driver.click(selector)
    },
    fillAt: driver.type,
    has,
  }
}
export type Visitor = ReturnType<typeof createVisitor>

export function readLibrary(): Promise<string> {
  return readFile(LIBRARY, 'utf8')
}
