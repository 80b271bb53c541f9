import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import { entryWeightSchema, listKindSchema, listMatchSchema } from './list-match.ts'

/** Matched threats of the last 12 months, without those that the team rejected. */
const matchCountsSchema = z.object({ certain: z.int(), toConfirm: z.int() })

/** A list of names that are matched against every stored threat. */
export const nameListSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: listKindSchema,
  /** The whole team sees it. */
  isShared: z.boolean(),
  owner: z.object({ name: z.string(), isMe: z.boolean() }),
  entryCount: z.int(),
  /** Entries with a matched threat. */
  matched: matchCountsSchema,
  /** Entries are still compared with the stored threats. */
  isMatching: z.boolean(),
  updatedAt: z.iso.datetime(),
})
export type NameList = z.infer<typeof nameListSchema>

/** A private list whose owner is disabled, or a viewer. Nobody else sees its name or what is in it. */
export const inactiveListSchema = z.object({
  id: z.uuid(),
  ownerName: z.string(),
  entryCount: z.int(),
  updatedAt: z.iso.datetime(),
})
export type InactiveList = z.infer<typeof inactiveListSchema>

/** Answer of `GET /bff/lists`: one's own and the team's, by name. `inactive`: for admins, who can delete them. */
export const nameListsSchema = z.object({
  lists: z.array(nameListSchema),
  inactive: z.optional(z.array(inactiveListSchema)),
})

export const listEntrySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** ASCII, lower case. */
  domains: z.array(z.string()),
  note: z.nullable(z.string()),
  /** The reference under which the user's own system knows it. */
  key: z.nullable(z.string()),
  weight: entryWeightSchema,
  /** Why its name alone is never a certain match; null for a distinctive name. */
  everydayName: z.nullable(z.string()),
  /** Matched threats of all stored time. */
  matched: matchCountsSchema,
  /** Time of the newest matched threat. */
  latestAt: z.nullable(z.iso.datetime()),
  isMatching: z.boolean(),
})
export type ListEntry = z.infer<typeof listEntrySchema>

export const ENTRIES_PAGE_COUNT = 200

/** Query of `GET /bff/lists/:id/entries`. */
export const entriesQuerySchema = z.object({
  /** Part of a name, domain, note or key. */
  q: z.optional(z.string().check(z.maxLength(200))),
  /** Only this one. */
  entry: z.optional(idSchema),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(50_000)), 0),
  /** In the order of ids, those after this one: pages then lack no entry, whatever changes while they are read. */
  after: z.optional(idSchema),
})
/** Before all ids. */
export const FIRST_AFTER = '00000000-0000-0000-0000-000000000000'

/** Answer: entries with matched threats first, the newest first, the others by name; with `after` by id. */
export const entryPageSchema = z.object({ entries: z.array(listEntrySchema), total: z.int() })
export type EntryPage = z.infer<typeof entryPageSchema>

export const MATCHES_PAGE_COUNT = 50

/** `to-confirm`: matches that nobody has decided on. `rejected`: not about an entry, as the team decided. */
export const matchChoiceSchema = z.enum(['matches', 'to-confirm', 'rejected'])
export type MatchChoice = z.infer<typeof matchChoiceSchema>

/** Query of `GET /bff/lists/:id/matches`. */
export const matchesQuerySchema = z.object({
  entry: z.optional(idSchema),
  show: z._default(matchChoiceSchema, 'matches'),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
})

/** Answer: newest threat first. */
export const matchPageSchema = z.object({ matches: z.array(listMatchSchema), total: z.int() })
export type MatchPage = z.infer<typeof matchPageSchema>
