import { resolve } from 'node:path'
import type { Database } from '#database/database.ts'
import { deleteDemoThreats } from '#service/threats/delete-demo-threats.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { type ThreatRecord, UNDATED_AT } from '#service/threats/threat-record.ts'
import { readLines } from './read-lines.ts'
import { type IncomingThreat, type ReadOptions, readRecord } from './read-record.ts'

type FileLine = { file: string; number: number }
export type BadLine = FileLine & { problem: string }
type GoodLine = FileLine & { threat: IncomingThreat }

export type ImportOptions = {
  files: readonly string[]
  /** File names are relative to this folder. */
  folder: string
  now: Date
  /** Moves all dates by one offset, so that the newest record of all files is now. */
  shiftsToNow: boolean
  keepsDemo: boolean
  onBadLine(line: BadLine): void
  onDemoRemoved(count: number): void
  onProgress(counts: ImportCounts): void
}

export type ImportCounts = {
  /** Records that were not there yet. */
  added: number
  /** Records that were there already, from this run or an earlier one. */
  known: number
  bad: number
  /** Good records whose source gives no date: they have none here either. */
  undated: number
}

const BATCH_MAX_COUNT = 500
const BATCH_MAX_LENGTH = 4_000_000

/** Reads files into the service. Every good record arrives; every other line is reported. */
export async function importFiles(db: Database, options: ImportOptions): Promise<ImportCounts> {
  const { now, shiftsToNow, keepsDemo, onDemoRemoved, onProgress } = options
  const shiftMs = shiftsToNow ? now.getTime() - (await findNewest(options)).getTime() : 0
  const counts: ImportCounts = { added: 0, known: 0, bad: 0, undated: 0 }
  let isDemoHandled = keepsDemo

  for await (const batch of inBatches(readThreats())) {
    if (!isDemoHandled) {
      const removed = await deleteDemoThreats(db)
      if (removed > 0) onDemoRemoved(removed)
      isDemoHandled = true
    }
    const added = await insertThreats(db, batch)
    counts.added += added
    counts.known += batch.length - added
    onProgress(counts)
  }
  return counts

  async function* readThreats(): AsyncGenerator<ThreatRecord> {
    for await (const line of readFiles(options, { keepsDates: !shiftsToNow })) {
      if ('problem' in line) {
        counts.bad += 1
        options.onBadLine(line)
      } else {
        if (line.threat.publishedAt === null) counts.undated += 1
        yield { ...line.threat, publishedAt: moveDate(line.threat.publishedAt, shiftMs) }
      }
    }
  }
}

async function* readFiles(
  { files, folder }: ImportOptions,
  options?: ReadOptions,
): AsyncGenerator<BadLine | GoodLine> {
  for (const file of files) {
    for await (const line of readLines(resolve(folder, file))) {
      if ('problem' in line) yield { file, ...line }
      else if (line.text.trim() !== '') yield { file, number: line.number, ...readRecord(line.text, options) }
    }
  }
}

async function findNewest(options: ImportOptions): Promise<Date> {
  let newest = ''
  for await (const line of readFiles(options)) {
    if ('threat' in line && line.threat.publishedAt !== null && line.threat.publishedAt > newest) {
      newest = line.threat.publishedAt
    }
  }
  return newest === '' ? options.now : new Date(newest)
}

function moveDate(publishedAt: string | null, shiftMs: number): string {
  return publishedAt === null ? UNDATED_AT : new Date(Date.parse(publishedAt) + shiftMs).toISOString()
}

async function* inBatches(threats: AsyncIterable<ThreatRecord>): AsyncGenerator<ThreatRecord[]> {
  let batch: ThreatRecord[] = []
  let length = 0
  for await (const threat of threats) {
    batch.push(threat)
    length += threat.content.length
    if (batch.length === BATCH_MAX_COUNT || length >= BATCH_MAX_LENGTH) {
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}
