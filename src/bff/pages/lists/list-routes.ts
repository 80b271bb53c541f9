import * as z from 'zod/mini'
import { defineChange } from '#bff/accounts/make-change.ts'
import { conflict, notFound, ProblemError, roleNotAllowed } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import {
  ALL_ENTRIES_MAX_COUNT,
  addEntries,
  deleteEntry,
  findEntry,
  readEntries,
  updateEntry,
} from '#bff/store/lists/entry-queries.ts'
import {
  deleteList,
  findList,
  insertList,
  type ListReader,
  readInactiveLists,
  readLists,
  updateList,
} from '#bff/store/lists/list-queries.ts'
import { decide, findPair, readMatches } from '#bff/store/lists/match-queries.ts'
import { isPublicSuffix } from '#bff/store/lists/registrable-domain.ts'
import type { Clock } from '#bff/time/clock.ts'
import { entriesQuerySchema, matchesQuerySchema, type NameList, nameListSchema } from '#contract/bff/list.ts'
import {
  decisionChangeSchema,
  ENTRIES_MAX_COUNT,
  type EntryDraft,
  entryDraftSchema,
  entryField,
  listChangeSchema,
  newEntriesSchema,
  newListSchema,
} from '#contract/bff/list-draft.ts'
import { maskEmail } from '#contract/bff/mask-address.ts'
import { DAY_MS } from '#contract/duration.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'

const ID = z.object({ id: idSchema })
const ENTRY = z.object({ id: idSchema, entryId: idSchema })
/** 10,000 entries with domains, notes and keys. */
export const ENTRIES_MAX_BYTES = 8 * 1024 * 1024
const COUNTED_DAYS = 365
/** Refused domains that one answer names. */
const NAMED_COUNT = 10
const LISTS = { kind: 'lists' } as const

type ListRouteDependencies = { database: Database; clock: Clock }

/** Lists of names: analysts make them, for themselves or the team; viewers read the team's. */
export function listRoutes({ database, clock }: ListRouteDependencies): BffRoute[] {
  const readerOf = ({ user }: ReaderSession): ListReader => ({
    accountId: user.id,
    since: new Date(clock.nowMs() - COUNTED_DAYS * DAY_MS).toISOString(),
  })
  const requireList = async (db: Database, id: string, session: ReaderSession): Promise<NameList> => {
    const list = await findList(db, id, readerOf(session))
    if (!list) throw notFound('This list was deleted, or is no longer shared.')
    return list
  }
  /** One's own lists, and those of the team. */
  const requireOwnList = async (db: Database, id: string, session: ReaderSession): Promise<NameList> => {
    const list = await requireList(db, id, session)
    if (list.owner.isMe || session.user.role === 'admin') return list
    throw roleNotAllowed(
      `This list is ${list.owner.name}’s. Make one of your own, or ask its owner or an admin.`,
    )
  }

  return [
    defineRoute('GET /bff/lists', {
      access: 'viewer',
      async answer({ session }) {
        const lists = await readLists(database, readerOf(session))
        if (session.user.role !== 'admin') return { json: { lists } }
        const inactive = await readInactiveLists(database)
        return { json: { lists, inactive: inactive.map(({ ownerEmail: _ownerEmail, ...list }) => list) } }
      },
    }),
    defineRoute('GET /bff/lists/:id', {
      params: ID,
      access: 'viewer',
      answer: async ({ params: { id }, session }) => ({ json: await requireList(database, id, session) }),
    }),
    defineChange(database, 'POST /bff/lists', {
      body: newListSchema,
      bodyMaxBytes: ENTRIES_MAX_BYTES,
      access: 'analyst',
      status: 201,
      live: LISTS,
      async change({ body: { idempotencyKey: key, ...draft }, session, request }, tx, record) {
        requireOwnDomains(draft.entries)
        const { id: accountId } = session.user
        const write = { accountId, route: request.route, key, body: draft, answer: nameListSchema }
        return writeOnce(tx, write, async () => {
          const { entries, ...facts } = draft
          const id = await insertList(tx, accountId, facts)
          const added = await requireRoom(addEntries(tx, id, entries))
          const list = await requireList(tx, id, session)
          const after = { ...publicFacts(list), entries: added }
          await record({ ...objectOf(list, session), action: 'list-created', after })
          return list
        })
      },
    }),
    defineChange(database, 'PUT /bff/lists/:id', {
      params: ID,
      body: listChangeSchema,
      access: 'analyst',
      live: LISTS,
      async change({ params: { id }, body, session }, tx, record) {
        const list = await requireOwnList(tx, id, session)
        if (body.isShared === false && !list.owner.isMe)
          throw roleNotAllowed(`Only ${list.owner.name} can make this list private.`)
        if (!(await updateList(tx, id, body)))
          throw conflict('Somebody else has changed name, kind or sharing of the list. Nothing was saved.')
        const changed = await requireList(tx, id, session)
        await record({
          ...objectOf(changed, session),
          action: 'list-changed',
          before: publicFacts(list),
          after: publicFacts(changed),
        })
        return changed
      },
    }),
    defineChange(database, 'DELETE /bff/lists/:id', {
      params: ID,
      access: 'analyst',
      live: LISTS,
      async change({ params: { id }, session }, tx, record) {
        const isAdmin = session.user.role === 'admin'
        const inactive = isAdmin && (await readInactiveLists(tx)).find((list) => list.id === id)
        const list = inactive || (await requireOwnList(tx, id, session))
        await deleteList(tx, id)
        const object = 'ownerEmail' in list ? privateObject(id, list.ownerEmail) : objectOf(list, session)
        const facts = 'ownerEmail' in list ? { isShared: false } : publicFacts(list)
        await record({ ...object, action: 'list-deleted', before: { ...facts, entries: list.entryCount } })
      },
    }),
    defineRoute('GET /bff/lists/:id/entries', {
      params: ID,
      query: entriesQuerySchema,
      access: 'viewer',
      async answer({ params: { id }, query, session }) {
        await requireList(database, id, session)
        return { json: await readEntries(database, { listId: id, ...query }) }
      },
    }),
    defineChange(database, 'POST /bff/lists/:id/entries', {
      params: ID,
      body: newEntriesSchema,
      bodyMaxBytes: ENTRIES_MAX_BYTES,
      access: 'analyst',
      status: 201,
      live: LISTS,
      async change({ params: { id }, body: { entries }, session }, tx, record) {
        requireOwnDomains(entries)
        const list = await requireOwnList(tx, id, session)
        const added = await requireRoom(addEntries(tx, id, entries))
        const after = { entriesAdded: added }
        await record({ ...objectOf(list, session), action: 'list-changed', after })
        return { added, known: entries.length - added }
      },
    }),
    defineChange(database, 'PUT /bff/lists/:id/entries/:entryId', {
      params: ENTRY,
      body: entryDraftSchema,
      access: 'analyst',
      live: LISTS,
      async change({ params: { id, entryId }, body, session }, tx, record) {
        requireOwnDomains([body], () => 'domains')
        const list = await requireOwnList(tx, id, session)
        const before = await requireEntry(tx, id, entryId)
        await updateEntry(tx, { listId: id, id: entryId }, body)
        await record({
          ...objectOf(list, session),
          action: 'list-changed',
          before: list.isShared ? before : { entry: entryId },
          after: list.isShared ? body : { entry: entryId },
        })
      },
    }),
    defineChange(database, 'DELETE /bff/lists/:id/entries/:entryId', {
      params: ENTRY,
      access: 'analyst',
      live: LISTS,
      async change({ params: { id, entryId }, session }, tx, record) {
        const list = await requireOwnList(tx, id, session)
        const before = await requireEntry(tx, id, entryId)
        await deleteEntry(tx, { listId: id, id: entryId })
        await record({
          ...objectOf(list, session),
          action: 'list-changed',
          before: list.isShared ? before : { entry: entryId },
        })
      },
    }),
    defineRoute('GET /bff/lists/:id/matches', {
      params: ID,
      query: matchesQuerySchema,
      access: 'viewer',
      async answer({ params: { id }, query, session }) {
        await requireList(database, id, session)
        return { json: await readMatches(database, { listId: id, ...query }) }
      },
    }),
    defineChange(database, 'PUT /bff/lists/:id/decisions', {
      params: ID,
      body: decisionChangeSchema,
      access: 'analyst',
      live: LISTS,
      async change({ params: { id }, body, session }, tx, record) {
        const list = await requireList(tx, id, session)
        const pair = await findPair(tx, { listId: id, ...body })
        if (!pair) throw notFound('The entry does not match this threat any more.')
        await decide(tx, body)
        const about = {
          entry: list.isShared ? pair.entryName : body.entryId,
          threat: pair.threat.title ?? body.threatId,
        }
        await record({
          ...objectOf(list, session),
          action: 'list-match-decided',
          before: { ...about, decision: pair.decision },
          after: { ...about, decision: body.decision },
        })
      },
    }),
  ]
}

/** Admins read the record, and see no private lists but their own: it names only lists that are shared. */
function objectOf({ id, name, isShared }: NameList, { user }: ReaderSession) {
  // Nobody but its owner changes a private list that is in use.
  return isShared ? { object: id, objectName: name } : privateObject(id, user.email)
}

function privateObject(id: string, ownerEmail: string) {
  return { object: id, objectName: `a private list of ${maskEmail(ownerEmail)}` }
}

function publicFacts({ name, kind, isShared }: NameList) {
  return isShared ? { name, kind, isShared } : { kind, isShared }
}

/** A public suffix would match every organisation below it. Each refused entry is a field of the answer. */
function requireOwnDomains(entries: readonly EntryDraft[], fieldOf = entryField): void {
  const shared = entries.flatMap(({ name, domains }, at) =>
    domains.filter(isPublicSuffix).map((domain) => ({ at, name, domain })),
  )
  if (shared.length === 0) return
  const named = shared.slice(0, NAMED_COUNT).map(({ name, domain }) => `“${domain}” (entry “${name}”)`)
  const others = shared.length > NAMED_COUNT ? `, and ${shared.length - NAMED_COUNT} more` : ''
  throw new ProblemError({
    code: 'bad_request',
    title: 'A domain belongs to no single organisation',
    detail: `Many organisations have their domains below ${named.join(', ')}${others}. Give the domain of the organisation itself, or only its name. Nothing was changed.`,
    fields: [...new Map(shared.map(({ at, domain }) => [at, domain]))].map(([at, domain]) => ({
      name: fieldOf(at),
      reason: `Many organisations have their domains below “${domain}”. Give the domain of the organisation itself, or only its name.`,
    })),
  })
}

async function requireRoom(adding: Promise<number | null>): Promise<number> {
  const added = await adding
  if (added !== null) return added
  throw conflict(
    `A list holds up to ${ENTRIES_MAX_COUNT.toLocaleString('en')} entries, and all lists together ${ALL_ENTRIES_MAX_COUNT.toLocaleString('en')}, with the private ones of others. Nothing was added. Remove entries, or add fewer.`,
    'These are too many entries',
  )
}

async function requireEntry(db: Database, listId: string, id: string): Promise<EntryDraft> {
  const entry = await findEntry(db, listId, id)
  if (!entry) throw notFound('This entry is gone.')
  return entry
}
