import * as z from 'zod/mini'
import { idSchema, vendorIdSchema } from '../id.ts'
import { readDomain } from './list-domain.ts'
import { decisionSchema, entryWeightSchema, listKindSchema } from './list-match.ts'

export const LIST_NAME_MAX_LENGTH = 80
export const ENTRY_NAME_MAX_LENGTH = 200
export const ENTRY_DOMAINS_MAX_COUNT = 20
export const ENTRIES_MAX_COUNT = 10_000

/** One line of text that a database holds. */
function textSchema(maxLength: number) {
  return z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(maxLength),
    z.refine(
      (text) => text.isWellFormed() && !text.includes('\0'),
      'must not contain NUL or half a character',
    ),
  )
}

const domainSchema = z.string().check(
  z.maxLength(253),
  z.refine((text) => {
    const read = readDomain(text)
    return 'domain' in read && read.domain === text
  }, 'must be a domain in lower case, without scheme, port and path'),
)

export const entryDraftSchema = z.strictObject({
  name: textSchema(ENTRY_NAME_MAX_LENGTH),
  domains: z.array(domainSchema).check(z.maxLength(ENTRY_DOMAINS_MAX_COUNT)),
  note: z.nullable(textSchema(1_000)),
  key: z.nullable(textSchema(120)),
  weight: entryWeightSchema,
})
export type EntryDraft = z.infer<typeof entryDraftSchema>

/** Body of `PUT /bff/lists/:id`: what is given changes, unless the list is no longer as `before` says. */
export const listChangeSchema = z.strictObject({
  name: z.optional(textSchema(LIST_NAME_MAX_LENGTH)),
  kind: z.optional(listKindSchema),
  isShared: z.optional(z.boolean()),
  before: z.optional(
    z.strictObject({
      name: z.string().check(z.maxLength(LIST_NAME_MAX_LENGTH)),
      kind: listKindSchema,
      isShared: z.boolean(),
    }),
  ),
})
export type ListChange = z.infer<typeof listChangeSchema>

const entriesSchema = z.array(entryDraftSchema).check(z.maxLength(ENTRIES_MAX_COUNT))

/** Body of `POST /bff/lists`: the list with its entries, all or none. Sent again under its key, it is not made twice. */
export const newListSchema = z.strictObject({
  name: textSchema(LIST_NAME_MAX_LENGTH),
  kind: listKindSchema,
  isShared: z.boolean(),
  entries: entriesSchema,
  idempotencyKey: z.optional(idSchema),
})
export type NewList = z.infer<typeof newListSchema>

/** Body of `POST /bff/lists/:id/entries`: all or none. */
export const newEntriesSchema = z.strictObject({ entries: entriesSchema.check(z.minLength(1)) })

/** Names an entry of a body among the fields of a problem. */
export function entryField(at: number): string {
  return `entries.${at}.domains`
}

/** Answer: entries whose name and domains are in the list already are not added again. */
export const entriesAddedSchema = z.object({ added: z.int(), known: z.int() })
export type EntriesAdded = z.infer<typeof entriesAddedSchema>

/** Body of `PUT /bff/lists/:id/decisions`; null takes a decision back. */
export const decisionChangeSchema = z.strictObject({
  threatId: vendorIdSchema,
  entryId: idSchema,
  decision: z.nullable(decisionSchema),
})
