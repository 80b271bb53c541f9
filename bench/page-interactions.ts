import type { CDPSession, Page } from '@playwright/test'
import { verdict } from '../test/support/verdict.ts'

const SLOWDOWN = 4
const TARGET_MS = 100
const ROUNDS = 3

/** The longest time from a press to the next paint, on a processor four times as slow. */
export async function measureInteractions(page: Page, session: CDPSession): Promise<void> {
  await page.evaluate(observe)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  console.log(`  press to next paint at ${SLOWDOWN}× CPU slowdown (target ${TARGET_MS} ms or less)`)
  for (const [name, act, undo, before = async () => {}] of interactions(page)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await before()
      await settle(page)
      await page.evaluate(() => Reflect.get(window, 'presses').splice(0))
      await act()
      await settle(page)
      times.push(Math.max(0, ...(await page.evaluate(() => Reflect.get(window, 'presses')))))
      await undo()
      await settle(page)
    }
    const longest = Math.max(...times)
    console.log(`    ${name.padEnd(18)} ${times.join(', ').padEnd(16)} ${verdict(longest <= TARGET_MS)}`)
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

type Interaction = readonly [
  name: string,
  act: () => Promise<void>,
  undo: () => Promise<void>,
  before?: () => Promise<void>,
]

/** By keys and mouse as a person has them: what a script sets is no press. */
function interactions(page: Page): readonly Interaction[] {
  const category = page.getByLabel('Category')
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
    .first()
  const press = (key: string) => page.keyboard.press(key)
  const goTo = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
  return [
    [
      'open filter',
      async () => {
        await category.focus()
        await press('ArrowDown')
      },
      () => press('Escape'),
    ],
    [
      'filter',
      () => press('Enter'),
      async () => {
        await press('Enter')
        await press('Escape')
      },
      async () => {
        await category.focus()
        await press('ArrowDown')
      },
    ],
    [
      'search',
      async () => {
        await page.getByLabel('Search').focus()
        await page.keyboard.type('kalo')
      },
      () => page.getByLabel('Search').fill(''),
    ],
    [
      'select',
      () => row.getByRole('checkbox').click(),
      () => row.getByRole('checkbox').click(),
      // What a row shows to a pointer is there before anybody presses.
      () => row.getByRole('checkbox').hover(),
    ],
    [
      'star',
      async () => {
        await row.getByRole('link').first().focus()
        await press('s')
      },
      () => press('s'),
    ],
    ['open', () => row.getByRole('link').first().click(), async () => void (await page.goBack())],
    [
      'sort actors',
      () => page.getByRole('columnheader').getByRole('link').first().click(),
      () => goTo('Threats'),
      () => goTo('Actors'),
    ],
  ]
}

async function settle(page: Page): Promise<void> {
  // An event's time is reported after its paint, and a slow processor draws the answer before it rests.
  await page.waitForTimeout(1_500)
}

function observe(): void {
  const presses: number[] = []
  const note = (list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries())
      if (Reflect.get(entry, 'interactionId') > 0) presses.push(entry.duration)
  }
  const slow: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
  }
  new PerformanceObserver(note).observe(slow)
  Object.assign(window, { presses })
}
