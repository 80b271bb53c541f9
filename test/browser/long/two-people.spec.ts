import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import * as z from 'zod'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { signIn, test } from '#test/support/browser-test.ts'
import { makePreparedDataDir } from '#test/support/data-dir.ts'
import { importRecords } from '#test/support/import-record.ts'
import { inviteUser } from '#test/support/invite-user.ts'
import { Random } from '#test/support/random.ts'
import { type RunningLantern, startLantern } from '#test/support/start-lantern.ts'

const ACTIONS = 500
const KILLS = 8
const SEED = 28
const VICTIMS = ['Fenwold', 'Marrowby', 'Thornquay', 'Ostrelle', 'Pellinge', 'Quillmere']
const GROUPS = ['amberkite', 'blackfinch', 'coldharbour']
const ROWS = 'tbody tr:has(a[id])'
/** A page that nobody looks at counts minutes when it is looked at again. */
const AGE = /just now|\d+ min ago/g
const DIALOG_MS = 1_500
const SETTLED_WITHIN_MS = 60_000
const KEYS = ['a', 'a', 's', 'r', 'c', 'c', 'n', 'n', 'z', 'A'] as const

let lantern: RunningLantern | null = null
test.afterAll(async () => {
  await lantern?.stop()
})

test('two users who work on the same cases while Lantern is killed lose no comment', async ({ browser }) => {
  test.setTimeout(1_800_000)
  const place = {
    dataDir: await makePreparedDataDir(),
    settings: { PORT: String(await findFreePort()), SERVICE_PORT: String(await findFreePort()) },
  }
  lantern = await startLantern(place)
  await importRecords(place, VICTIMS.flatMap(claimsOf))
  const feed = '/threats?q=tarnlist'
  const admin = await openPage(browser, lantern)
  await signIn(admin)
  const analyst = await openPage(browser, lantern)
  await inviteUser(admin, analyst, 'grace@lantern.example', 'analyst')
  const people = [new Person(admin, SEED), new Person(analyst, SEED + 1)]
  for (const { page } of people) {
    // Until the claims are compared, each is a case of its own.
    await expect(async () => {
      await page.goto(feed)
      await expect(page.locator(ROWS)).toHaveCount(VICTIMS.length, { timeout: 2_000 })
    }).toPass({ timeout: SETTLED_WITHIN_MS })
  }

  const working = Promise.all(people.map((person) => person.work(ACTIONS)))
  for (let kill = 1; kill <= KILLS; kill++) {
    await expect
      .poll(() => people.every(({ done }) => done >= (kill * ACTIONS) / (KILLS + 1)), { timeout: 0 })
      .toBe(true)
    await lantern.stop('SIGKILL')
    lantern = await startLantern(place)
  }
  await working

  const fresh = await Promise.all(
    people.map(async ({ page }) => {
      const other = await page.context().newPage()
      await other.goto(feed)
      return other
    }),
  )
  await expect(async () => {
    const [ofAdmin, ofAnalyst, ...ofFresh] = await Promise.all([admin, analyst, ...fresh].map(rowsOf))
    expect([ofAdmin, ofAnalyst]).toEqual(ofFresh)
    expect(ofAdmin?.map(withoutReader).toSorted()).toEqual(ofAnalyst?.map(withoutReader).toSorted())
  }).toPass({ timeout: SETTLED_WITHIN_MS })

  const kept = await commentsOf(admin)
  const confirmed = people.flatMap((person) => [...person.confirmed])
  expect(confirmed.length).toBeGreaterThan(ACTIONS / 20)
  expect(confirmed.filter((text) => !kept.includes(text))).toEqual([])
  expect(kept.filter((text, index) => kept.indexOf(text) !== index)).toEqual([])
})

function claimsOf(victim: string) {
  return GROUPS.map((group, index) => ({
    source: 'test',
    source_id: `${victim}-${group}`,
    category: 'Ransomware',
    title: `${victim}: tarnlist`,
    victim,
    website: `${victim.toLowerCase()}.example`,
    group,
    country: 'DE',
    published: new Date(Date.now() - index * 3_600_000).toISOString(),
  }))
}

async function openPage(browser: Browser, { url }: RunningLantern): Promise<Page> {
  return (await browser.newContext({ baseURL: url })).newPage()
}

/** What the rows say, but for their age. */
async function rowsOf(page: Page): Promise<string[]> {
  const rows = await page.locator(ROWS).evaluateAll((all) => all.map((row) => row.textContent ?? ''))
  return rows.map((text) => text.replaceAll(AGE, '')).toSorted()
}

/** An owner is named to everybody but themselves. */
function withoutReader(row: string): string {
  return row.replace(/Owned by [^.]*\./, 'Owned.')
}

const historySchema = z.object({ events: z.array(z.object({ text: z.nullable(z.string()) })) })

/** The texts of all comments on the cases of the page, one for each time that it stands in a case's history. */
async function commentsOf(page: Page): Promise<string[]> {
  const links = await page
    .locator(`${ROWS} a[id]`)
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const texts: string[] = []
  for (const link of links) {
    const id = link.split('/').at(-1)?.split('?')[0]
    const response = await page.request.get(new URL(`/bff/triage/${id}/history`, page.url()).href, {
      headers: { 'x-lantern': '1' },
    })
    const { events } = historySchema.parse(await response.json())
    texts.push(...events.flatMap(({ text }) => (text === null ? [] : [text])))
  }
  return texts
}

/** Presses keys at random, as fast as the page takes them. */
class Person {
  done = 0
  /** Comments that were answered. */
  readonly confirmed = new Set<string>()
  readonly page: Page
  readonly #random: Random
  readonly #name: string

  constructor(page: Page, seed: number) {
    this.page = page
    page.setDefaultTimeout(20_000)
    this.#random = new Random(seed)
    this.#name = `person ${seed}`
    page.on('response', (response) => {
      if (!response.ok() || new URL(response.url()).pathname !== '/bff/triage') return
      const { action, text } = response.request().postDataJSON()
      if (action === 'note') this.confirmed.add(text)
    })
  }

  async work(actions: number): Promise<void> {
    for (; this.done < actions; this.done++) await this.#act()
  }

  async #act(): Promise<void> {
    const { page } = this
    const key = this.#random.pick(KEYS)
    await page.locator(`${ROWS} a[id]`).nth(this.#random.below(VICTIMS.length)).focus()
    await page.keyboard.press(key)
    if (key === 'n' && (await this.#isAsked('Comment on 1 case'))) {
      await page.getByLabel('Comment for the team').fill(`Comment ${this.done} of ${this.#name}`)
      await page.keyboard.press('Control+Enter')
    } else if (key === 'c' && (await this.#isAsked('Close 1 case'))) {
      await page.keyboard.press(String(1 + this.#random.below(4)))
      await page.keyboard.press('Enter')
    } else if (key === 'A' && (await this.#isAsked('Assign 1 case'))) {
      const owners = page.getByRole('radio')
      // Nobody to choose from while Lantern is away.
      if (await isShown(owners.first())) await owners.nth(this.#random.below(2)).check()
      await page.keyboard.press('Enter')
    }
    await this.#leaveDialog()
  }

  /** False where the key needs no dialog, or was refused. */
  #isAsked(name: string): Promise<boolean> {
    return isShown(this.page.getByRole('dialog', { name }))
  }

  /** A dialog stays where what it asks was refused. */
  async #leaveDialog(): Promise<void> {
    const open = this.page.locator('dialog[open]')
    for (let tries = 0; tries < 50 && (await open.count()) > 0; tries++) {
      await this.page.keyboard.press('Escape')
      await sleep(20)
    }
  }
}

function isShown(part: Locator): Promise<boolean> {
  return part.waitFor({ timeout: DIALOG_MS }).then(
    () => true,
    () => false,
  )
}
