import { noteBuild } from './app-build.ts'
import { doubtConnection, isHeardLately, PATIENCE_MS } from './connection.ts'

const loaded = new Set<string>()

/**
 * A part of the app that is loaded when it is first needed. It is requested only while Lantern answers, because browsers
 * remember a script that failed to load for as long as the page lives. One that fails all the same, as after an upgrade,
 * is waited for without an end, and the shell says why: a part that threw would take the page down with it, with all that
 * was typed there.
 */
export async function importPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  if (!loaded.has(name) && !isHeardLately()) await doubtConnection()
  const doubtTimer = setTimeout(doubtConnection, PATIENCE_MS)
  try {
    const part = await load()
    loaded.add(name)
    return part
  } catch (error) {
    console.error(error)
    await doubtConnection()
    noteBuild({ isPartLost: true })
    return await new Promise(() => {})
  } finally {
    clearTimeout(doubtTimer)
  }
}
