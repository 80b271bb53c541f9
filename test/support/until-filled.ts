import { setTimeout as sleep } from 'node:timers/promises'
import { sourceSchema } from '#contract/bff/source.ts'

const PAUSE_MS = 500
const PATIENCE_MS = 480_000

/** Until the window is filled, counts change with every page that the reader brings. */
export async function untilFilled(fetchSource: () => Promise<Response>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += PAUSE_MS) {
    const { window } = sourceSchema.parse(await (await fetchSource()).json())
    if (window.status === 'complete') return
    await sleep(PAUSE_MS)
  }
  throw new Error('The window was not filled within three minutes')
}
