import type { Log } from '#bff/http/log.ts'
import {
  type DataVersion,
  formatDataVersion,
  isLaterVersion,
  parseDataVersion,
} from '#contract/upstream/data-version.ts'
import type { Database } from '#database/database.ts'
import type { Channel } from '#database/listen.ts'
import type { DataChange } from './upstream.ts'

/** Tracks which version of the vendor's data this process shows, and of which one it has notified the others. */
export class ShownData {
  readonly #notifyAll: (version: DataVersion) => Promise<void>
  #shown: DataVersion | null = null
  #reported: DataVersion | null = null
  #changes = 0

  constructor(notifyAll: (version: DataVersion) => Promise<void>) {
    this.#notifyAll = notifyAll
  }

  get version(): DataVersion | null {
    return this.#shown
  }

  /** A number that rises with each later version that is applied. */
  get changes(): number {
    return this.#changes
  }

  /** Records an answer's version. The first one is shown; all processes, including this one, are notified of later ones. */
  notice(version: DataVersion | null): void {
    if (version === null) return
    this.#shown ??= version
    const latest =
      this.#reported && isLaterVersion(this.#reported, this.#shown) ? this.#reported : this.#shown
    if (!isLaterVersion(version, latest)) return
    this.#reported = version
    this.#notifyAll(version).catch(() => this.renotify())
  }

  /** Repeats the notice, which nobody may have received. */
  renotify(): void {
    this.#reported = null
  }

  /** False where it is not later than what is shown. */
  apply(version: DataVersion): { change: DataChange } | false {
    const before = this.#shown
    if (before && !isLaterVersion(version, before)) return false
    this.#shown = version
    this.#changes += 1
    if (before?.store !== version.store) return { change: null }
    return { change: { added: version.added - before.added, removed: version.removed - before.removed } }
  }
}

const DATA_CHANGED_CHANNEL = 'lantern_data_changed'

/** Receives the notices that a process has met a later version of the vendor's data. */
export function dataChannel(onVersion: (version: DataVersion) => void, onHearing: () => void): Channel {
  return {
    name: DATA_CHANGED_CHANNEL,
    onNotice(payload) {
      const version = parseDataVersion(payload)
      if (version) onVersion(version)
    },
    onHearing,
  }
}

/** Notifies every process. The promise is rejected if that fails. */
export async function notifyNewData(
  { database, log }: { database: Database; log: Log },
  version: DataVersion,
): Promise<void> {
  try {
    await database.query('select pg_notify($1, $2)', [DATA_CHANGED_CHANNEL, formatDataVersion(version)])
  } catch (error) {
    log.error('new-data-not-notified', error)
    throw error
  }
}
