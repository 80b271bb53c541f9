import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startBlock } from '#start/start-block.ts'
import { startLantern } from '#start/start-lantern.ts'
import { loadSettings } from './settings.ts'

/** In development Vite serves the app. */
const needsApp = !process.argv.includes('--without-app')

await runUntilStopped((giveUp) =>
  startAll(async (closers) => {
    const facts = await startLantern({ settings: loadSettings(), needsApp, closers, giveUp })
    // Counted from the start of the process: what a person waits for.
    process.stdout.write(startBlock(facts, performance.now()))
  }),
)
