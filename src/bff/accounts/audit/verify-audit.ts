import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { findRow, readRows } from '#database/read-rows.ts'

type Head = { number: number; hash: string }

export type AuditVerdict = {
  /** The number of records in the chain. */
  records: number
  /** Each fault is a sentence, in the order of the chain. */
  faults: string[]
}

const BATCH_COUNT = 2_000
/** Up to this many records, each is compared with each, to distinguish another order from altered records. */
const COMPARED_MAX_COUNT = 300

const text = z.nullable(z.string())
const personalSchema = z.nullable(z.tuple([z.string(), text, text, text, text]))
const linkSchema = z.object({
  number: z.number(),
  hash: z.string(),
  recordId: z.number(),
  /** Null where there is no such record. */
  record: z.nullable(
    z.object({
      id: z.string(),
      at: z.string(),
      actor: text,
      action: z.string(),
      route: text,
      object: text,
      before: text,
      after: text,
      requestId: text,
      actorHash: text,
      objectHash: text,
    }),
  ),
  ofActor: personalSchema,
  ofObject: personalSchema,
})
type Link = z.infer<typeof linkSchema>
type AuditRow = NonNullable<Link['record']>

/** Times and JSON leave PostgreSQL as text, in the form that was hashed. */
const LINKS = `
  select number, encode(hash, 'hex') as hash, link.record_id as "recordId",
         case when record.id is not null then json_build_object(
           'id', record.id::text, 'at', coalesce(to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ''),
           'actor', actor, 'action', action, 'route', route, 'object', object,
           'before', record.before, 'after', record.after, 'requestId', request_id,
           'actorHash', encode(actor_hash, 'hex'), 'objectHash', encode(object_hash, 'hex')) end as record,
         case when of_actor.salt is not null then json_build_array(encode(of_actor.salt, 'hex'),
           of_actor.address, of_actor.name, of_actor.before, of_actor.after) end as "ofActor",
         case when of_object.salt is not null then json_build_array(encode(of_object.salt, 'hex'),
           of_object.address, of_object.name, of_object.before, of_object.after) end as "ofObject"
    from audit_link link
    left join audit_record record on record.id = link.record_id
    left join audit_personal of_actor on of_actor.record_id = record.id and of_actor.about = 'actor'
    left join audit_personal of_object on of_object.record_id = record.id and of_object.about = 'object'
   where number > $1
   order by number
   limit ${BATCH_COUNT}`

/**
 * Computes the chain anew, without the database's own functions: whoever could alter records could alter those. A chain
 * that a superuser has replaced as a whole passes: AUDIT_LOG keeps a copy elsewhere.
 */
export function verifyAudit(db: Database): Promise<AuditVerdict> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const chain = new ChainReading(await readErasures(tx), await readCheckpoint(tx))
    for (let links = await readLinks(tx, 0); links.length > 0; links = await readLinks(tx, chain.number))
      for (const link of links) chain.take(link)
    chain.end(await readHead(tx))
    const unlinked = await readUnlinked(tx)
    return { records: chain.records, faults: [...chain.faults(), ...unlinked] }
  })
}

class ChainReading {
  records = 0
  number = 0
  #hash: string | null = null
  /** The hash of the link before; null if it is missing. */
  #previous: string | null = ''
  readonly #faults: { number: number; text: string }[] = []
  readonly #wrong: { link: Link; record: AuditRow; previous: string }[] = []
  readonly #erasures: ReadonlyMap<string, number>
  readonly #checkpoint: Checkpoint | null

  constructor(erasures: ReadonlyMap<string, number>, checkpoint: Checkpoint | null) {
    this.#erasures = erasures
    this.#checkpoint = checkpoint
  }

  take(link: Link): void {
    const { number, hash, record } = link
    if (number !== this.number + 1) this.#skipTo(number)
    if (!record) this.#report(number, `${nameOf(link)} was removed: its link is there, the record is not`)
    else {
      if (this.#previous !== null && hashOf(this.#previous, number, record) !== hash)
        this.#wrong.push({ link, record, previous: this.#previous })
      this.#checkPersonal(link, record)
    }
    this.records += 1
    this.number = number
    this.#previous = hash
    this.#hash = hash
  }

  end(head: Head): void {
    if (head.number > this.number)
      this.#report(
        head.number,
        `${rangeOf(this.number + 1, head.number)} removed: the end of the chain was cut off`,
      )
    else if (head.number !== this.number || head.hash !== (this.#hash ?? head.hash))
      this.#report(this.number, `The chain's end is not the one that its last writer left: ${head.number}`)
  }

  faults(): string[] {
    for (const [at, { link, previous }] of this.#wrong.entries())
      this.#report(link.number, at < COMPARED_MAX_COUNT ? this.#describeWrong(link, previous) : altered(link))
    return this.#faults.sort((one, other) => one.number - other.number).map((fault) => fault.text)
  }

  /** A checkpoint at the beginning may state that missing records were pruned. */
  #skipTo(number: number): void {
    const isPruned = this.number === 0 && this.#checkpoint?.through === number - 1
    this.#previous = isPruned ? (this.#checkpoint?.hash ?? null) : null
    if (!isPruned) {
      const reason = this.number === 0 ? ', and no checkpoint tells of it' : ''
      this.#report(number, `${rangeOf(this.number + 1, number - 1)} removed${reason}`)
    }
  }

  #checkPersonal(link: Link, { actor, object, actorHash, objectHash }: AuditRow): void {
    const parts = [
      { part: link.ofActor, hash: actorHash, account: actor },
      { part: link.ofObject, hash: objectHash, account: object },
    ]
    for (const { part, hash, account } of parts) {
      const erasedAt = Math.max(
        this.#erasures.get(account ?? '') ?? 0,
        this.#erasures.get(recordKey(link.recordId)) ?? 0,
      )
      if (part && digest(part) !== hash)
        this.#report(link.number, `${nameOf(link)} has altered personal data`)
      if (!part && hash !== null && erasedAt < link.number)
        this.#report(
          link.number,
          `${nameOf(link)} has lost its personal data, and no erasure of a person tells of it`,
        )
    }
  }

  /** A record that fits in the place of another was moved from there. */
  #describeWrong(link: Link, previous: string): string {
    const moved = this.#wrong
      .slice(0, COMPARED_MAX_COUNT)
      .find(({ record }) =>
        [record.id, String(link.recordId)].some(
          (id) => hashOf(previous, link.number, { ...record, id }) === link.hash,
        ),
      )
    return moved
      ? `${nameOf(link)} was reordered: what was written in its place is now record ${moved.link.number}`
      : altered(link)
  }

  #report(number: number, fault: string): void {
    this.#faults.push({ number, text: fault })
  }
}

function hashOf(previous: string, number: number, record: AuditRow): string {
  const { id, at, actor, action, route, object, before, after, requestId, actorHash, objectHash } = record
  const facts = [id, at, actor, action, route, object, before, after, requestId, actorHash, objectHash]
  return digest([previous, String(number), ...facts])
}

/** Computes the same hash as `audit_digest`. */
function digest(fields: readonly (string | null)[]): string {
  const parts = fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`))
  return createHash('sha256').update(parts.join(',')).digest('hex')
}

function altered(link: Link): string {
  return `${nameOf(link)} was altered`
}

function nameOf({ number, recordId, record }: Link): string {
  return `Record ${number} (id ${recordId}${record ? `, ${record.action} of ${record.at}` : ''})`
}

function rangeOf(first: number, last: number): string {
  return first === last ? `Record ${first} was` : `Records ${first} to ${last} were`
}

async function readLinks(db: Database, after: number): Promise<Link[]> {
  return readRows(db, linkSchema, [after])`${LINKS}`
}

/** Reads up to which link a person's data may be missing, by account and by record. */
async function readErasures(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await readRows(db, erasureSchema)`
    select object, after, number
      from audit_record join audit_link on record_id = id
     where action = 'person-erased' and object is not null
     order by number`
  return new Map(
    rows.flatMap(({ object, after, number }) => {
      const { records } = readJson(erasedSchema, after) ?? { records: [] }
      return [object, ...records.map(recordKey)].map((key): [string, number] => [key, number])
    }),
  )
}

function recordKey(id: number): string {
  return `record ${id}`
}

/** Null where there is nothing to read, or it was altered, which is found where it stands. */
function readJson<T>(schema: z.ZodMiniType<T>, json: string | null): T | null {
  try {
    return schema.parse(JSON.parse(json ?? 'null'))
  } catch {
    return null
  }
}

const erasedSchema = z.object({ records: z.array(z.number()) })
const erasureSchema = z.object({ object: z.string(), after: text, number: z.number() })

type Checkpoint = { through: number; hash: string }

const checkpointSchema = z.object({ through: z.number(), hash: z.string() })
const checkpointRowSchema = z.object({ after: text })

/** The last that pruning left. It is a record of the chain like any other: what it says is verified with that. */
async function readCheckpoint(db: Database): Promise<Checkpoint | null> {
  const found = await findRow(db, checkpointRowSchema)`
    select after from audit_record where action = 'audit-pruned' order by id desc limit 1`
  return readJson(checkpointSchema, found?.after ?? null)
}

async function readHead(db: Database): Promise<Head> {
  const head = await findRow(db, z.object({ number: z.number(), hash: z.string() }))`
    select number, encode(hash, 'hex') as hash from audit_head`
  return head ?? { number: 0, hash: '' }
}

async function readUnlinked(db: Database): Promise<string[]> {
  const rows = await readRows(db, z.object({ id: z.number(), action: z.string() }))`
    select id, action from audit_record
     where not exists (select from audit_link where record_id = id) order by id`
  return rows.map(({ id, action }) => `A record (id ${id}, ${action}) was inserted beside the chain`)
}
