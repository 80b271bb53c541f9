import * as z from 'zod/mini'
import { BackupError } from './backup-error.ts'
import { type TableChecksum, TableHasher } from './table-checksum.ts'

export const DATABASE_NAMES = ['dashboard', 'service'] as const
export type DatabaseName = (typeof DATABASE_NAMES)[number]

const sequenceSchema = z.object({
  name: z.string(),
  /** The value is text because it may exceed the range of a number. */
  last: z.string().check(z.regex(/^\d{1,19}$/)),
  isCalled: z.boolean(),
})

/**
 * The lines of a backup, in their order: the backup; for each database itself, then for each of its tables the table, its
 * rows and their checksum, then the sequences; the secrets; the end. What counts stands after what it counts, so that a
 * file can be written as it is read.
 */
const partSchema = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('backup'),
    lantern: z.string(),
    /** Absent in files of before 0.3.0. */
    commit: z.optional(z.string()),
    createdAt: z.string(),
    hasThreats: z.boolean(),
  }),
  z.object({
    part: z.literal('database'),
    name: z.enum(DATABASE_NAMES),
    /** The migrations that it had: the version of its schema. */
    migrations: z.array(z.int()),
  }),
  z.object({ part: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ part: z.literal('checksum'), rows: z.int(), hash: z.string() }),
  z.object({ part: z.literal('sequences'), sequences: z.array(sequenceSchema) }),
  z.object({ part: z.literal('secrets'), secrets: z.record(z.string(), z.string()) }),
  z.object({ part: z.literal('end') }),
])
export type BackupPart = z.infer<typeof partSchema>
export type Sequence = z.infer<typeof sequenceSchema>

/** Some rows of the table before, each a JSON array of its columns as PostgreSQL's texts. */
export type RowBatch = { part: 'rows'; rows: string[] }

const BATCH_COUNT = 1_000
const BATCH_CHARACTERS = 500_000
/** More than any row of ours, and less than what a crafted file may make of our memory. */
const LINE_MAX_BYTES = 256_000_000
const NEWLINE = 10

export function toLine(part: BackupPart): string {
  return `${JSON.stringify(part)}\n`
}

/** Reads the lines of a text; each table's rows are held to their checksum as it comes. */
export async function* readParts(text: AsyncIterable<Buffer>): AsyncGenerator<BackupPart | RowBatch> {
  let rows: string[] = []
  let characters = 0
  let hasher = new TableHasher()
  let last = ''
  for await (const line of splitLines(text)) {
    if (line.startsWith('[')) {
      hasher.add(line)
      rows.push(line)
      characters += line.length
      if (rows.length < BATCH_COUNT && characters < BATCH_CHARACTERS) continue
    }
    if (rows.length > 0) yield { part: 'rows', rows }
    rows = []
    characters = 0
    if (line.startsWith('[')) continue
    const part = readPart(line)
    if (part.part === 'checksum' && !isSameChecksum(part, hasher.checksum)) throw broken()
    if (part.part === 'table') hasher = new TableHasher()
    yield part
    last = part.part
  }
  if (last !== 'end') throw broken()
}

export function isSameChecksum(one: TableChecksum, other: TableChecksum): boolean {
  return one.rows === other.rows && one.hash === other.hash
}

function readPart(line: string): BackupPart {
  try {
    return partSchema.parse(JSON.parse(line))
  } catch {
    throw broken()
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]).toString('utf8')
      held = []
      bytes = 0
      start = end + 1
    }
    held.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > LINE_MAX_BYTES) throw broken()
  }
  if (bytes > 0) throw broken()
}

function broken(): BackupError {
  return new BackupError('it was altered or is cut off')
}
