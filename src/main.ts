import { setTimeout as sleep } from 'node:timers/promises'
import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startBlock } from '#start/start-block.ts'
import { startLantern } from '#start/start-lantern.ts'
import { loadSettings } from './settings/settings.ts'

/** In development Vite serves the app, and stands before this process alone. */
const needsApp = !process.argv.includes('--without-app')
/** Longer than the health checks of common load balancers take to take a node out. */
const DRAIN_MS = 5_000

await runUntilStopped(async (giveUp) => {
  const settings = loadSettings()
  const { started, close } = await startAll(async (closers) => {
    const lantern = await startLantern({ settings, needsApp, closers, giveUp })
    // Counted from the start of the process: what a person waits for.
    process.stdout.write(startBlock(lantern.facts, performance.now()))
    return lantern
  })
  const drain = () => {
    started.announceStop()
    return sleep(DRAIN_MS)
  }
  return { close, ...(needsApp && !settings.isLocalOnly && { drain }) }
})
