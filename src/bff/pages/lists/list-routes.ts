import * as z from 'zod/mini'
import { makeChange, type RecordChange } from '#bff/accounts/make-change.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
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

type ListRouteDependencies = { database: Database; clock: Clock }

/** Lists of names: analysts make them, for themselves or the team; viewers read the team's. */
export function listRoutes({ database, clock }: ListRouteDependencies): BffRoute[] {
  const readerOf = ({ user }: ReaderSession): ListReader => ({
    accountId: user.id,
    since: new Date(clock.nowMs() - COUNTED_DAYS * DAY_MS).toISOString(),
  })
  const requireList = async (db: Database, id: string, session: ReaderSession): Promise<NameList> => {
    const list = await findList(db, id, readerOf(session))
    if (!list) throw notFound('This list is gone, or is not shared any more.')
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
      answer: async ({ session }) => ({ json: { lists: await readLists(database, readerOf(session)) } }),
    }),
    defineRoute('GET /bff/lists/:id', {
      params: ID,
      access: 'viewer',
      answer: async ({ params: { id }, session }) => ({ json: await requireList(database, id, session) }),
    }),
    defineRoute('POST /bff/lists', {
      body: newListSchema,
      bodyMaxBytes: ENTRIES_MAX_BYTES,
      access: 'analyst',
      async answer({ body: { idempotencyKey: key, ...draft }, ...context }) {
        const { id: accountId } = context.session.user
        const { route } = context.request
        requireOwnDomains(draft.entries)
        const list = await makeChange(database, context, 'analyst', (tx, record) =>
          writeOnce(tx, { accountId, route, key, body: draft, answer: nameListSchema }, async () => {
            const { entries, ...facts } = draft
            const id = await insertList(tx, accountId, facts)
            const added = await requireRoom(addEntries(tx, id, entries))
            const list = await requireList(tx, id, context.session)
            await recordList(tx, record, context.session, {
              action: 'list-created',
              list,
              after: { ...publicFacts(list), entries: added },
            })
            return list
          }),
        )
        return { status: 201, json: list }
      },
    }),
    defineRoute('PUT /bff/lists/:id', {
      params: ID,
      body: listChangeSchema,
      access: 'analyst',
      async answer({ params: { id }, body, ...context }) {
        const list = await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireOwnList(tx, id, context.session)
          if (body.isShared === false && !list.owner.isMe)
            throw roleNotAllowed(`Only ${list.owner.name} can make this list private.`)
          if (!(await updateList(tx, id, body)))
            throw conflict('Somebody else has changed name, kind or sharing of the list. Nothing was saved.')
          const changed = await requireList(tx, id, context.session)
          await recordList(tx, record, context.session, {
            action: 'list-changed',
            list: changed,
            before: publicFacts(list),
            after: publicFacts(changed),
          })
          return changed
        })
        return { json: list }
      },
    }),
    defineRoute('DELETE /bff/lists/:id', {
      params: ID,
      access: 'analyst',
      async answer({ params: { id }, ...context }) {
        await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireOwnList(tx, id, context.session)
          await deleteList(tx, id)
          const before = { ...publicFacts(list), entries: list.entryCount }
          await recordList(tx, record, context.session, { action: 'list-deleted', list, before })
        })
        return { status: 204 }
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
    defineRoute('POST /bff/lists/:id/entries', {
      params: ID,
      body: newEntriesSchema,
      bodyMaxBytes: ENTRIES_MAX_BYTES,
      access: 'analyst',
      async answer({ params: { id }, body: { entries }, ...context }) {
        requireOwnDomains(entries)
        const added = await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireOwnList(tx, id, context.session)
          const added = await requireRoom(addEntries(tx, id, entries))
          const after = { entriesAdded: added }
          await recordList(tx, record, context.session, { action: 'list-changed', list, after })
          return added
        })
        return { status: 201, json: { added, known: entries.length - added } }
      },
    }),
    defineRoute('PUT /bff/lists/:id/entries/:entryId', {
      params: ENTRY,
      body: entryDraftSchema,
      access: 'analyst',
      async answer({ params: { id, entryId }, body, ...context }) {
        requireOwnDomains([body], () => 'domains')
        await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireOwnList(tx, id, context.session)
          const before = await requireEntry(tx, id, entryId)
          await updateEntry(tx, { listId: id, id: entryId }, body)
          await recordList(tx, record, context.session, {
            action: 'list-changed',
            list,
            before: list.isShared ? before : { entry: entryId },
            after: list.isShared ? body : { entry: entryId },
          })
        })
        return { status: 204 }
      },
    }),
    defineRoute('DELETE /bff/lists/:id/entries/:entryId', {
      params: ENTRY,
      access: 'analyst',
      async answer({ params: { id, entryId }, ...context }) {
        await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireOwnList(tx, id, context.session)
          const before = await requireEntry(tx, id, entryId)
          await deleteEntry(tx, { listId: id, id: entryId })
          await recordList(tx, record, context.session, {
            action: 'list-changed',
            list,
            before: list.isShared ? before : { entry: entryId },
          })
        })
        return { status: 204 }
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
    defineRoute('PUT /bff/lists/:id/decisions', {
      params: ID,
      body: decisionChangeSchema,
      access: 'analyst',
      async answer({ params: { id }, body, ...context }) {
        await makeChange(database, context, 'analyst', async (tx, record) => {
          const list = await requireList(tx, id, context.session)
          const pair = await findPair(tx, { listId: id, ...body })
          if (!pair) throw notFound('The entry does not match this threat any more.')
          await decide(tx, body)
          const about = {
            entry: list.isShared ? pair.entryName : body.entryId,
            threat: pair.threat.title ?? body.threatId,
          }
          await recordList(tx, record, context.session, {
            action: 'list-match-decided',
            list,
            before: { ...about, decision: pair.decision },
            after: { ...about, decision: body.decision },
          })
        })
        return { status: 204 }
      },
    }),
  ]
}

type ListAudit = Pick<Parameters<RecordChange>[0], 'action' | 'before' | 'after'> & { list: NameList }

/** Admins read the record, and see no private lists but their own: it names only lists that are shared. */
async function recordList(
  tx: Database,
  record: RecordChange,
  { user }: ReaderSession,
  { list, ...facts }: ListAudit,
): Promise<void> {
  // Nobody but its owner changes a private list.
  const objectName = list.isShared ? list.name : `a private list of ${maskEmail(user.email)}`
  await record({ object: list.id, objectName, ...facts })
  await notifyLive(tx, { kind: 'lists' })
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
    `A list holds up to ${ENTRIES_MAX_COUNT} entries, and all lists together ${ALL_ENTRIES_MAX_COUNT}. Nothing was added. Remove entries, or add fewer.`,
  )
}

async function requireEntry(db: Database, listId: string, id: string): Promise<EntryDraft> {
  const entry = await findEntry(db, listId, id)
  if (!entry) throw notFound('This entry is gone.')
  return entry
}
