import type { Log } from '#bff/http/log.ts'
import { type DataVersion, formatDataVersion, parseDataVersion } from '#contract/upstream/data-version.ts'
import type { Database } from '#database/database.ts'
import type { Channel } from '#database/listen.ts'

const DATA_CHANGED_CHANNEL = 'lantern_data_changed'

/** Receives the notices that a process has met a later version of the source's data. */
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
    log.error('new-data-not-told', error)
    throw error
  }
}
