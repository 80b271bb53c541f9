import * as z from 'zod/mini'
import { SEARCH_MAX_LENGTH } from './threat-list.ts'

const searchTextSchema = z.string().check(z.minLength(1), z.maxLength(SEARCH_MAX_LENGTH))

/** Query of `GET /bff/full-text-searches`: a search in Lantern's query language. */
export const fullTextQuerySchema = z.object({ q: searchTextSchema })

/** Body of `POST /bff/full-text-searches`. */
export const fullTextRequestSchema = z.strictObject({
  q: searchTextSchema,
  /** 0 for the first page; `nextOffset` of the last search for the page after it. */
  offset: z.int().check(z.minimum(0)),
})
export type FullTextRequest = z.infer<typeof fullTextRequestSchema>

/** Answer of both: what the vendor is sent for a search, and what it found when it was sent last. */
export const fullTextSearchSchema = z.object({
  /** Words and phrases; null where the search cannot be sent. */
  words: z.nullable(z.string()),
  /** Why it cannot be sent, for a person; null where it can. */
  refusal: z.nullable(z.string()),
  /** True if the full texts of all stored threats can already be searched, so that no call is needed. */
  isStored: z.boolean(),
  /** Null while these words were never sent. */
  last: z.nullable(
    z.object({
      searchedAt: z.iso.datetime(),
      /** The same words are not sent again before this time: the last search is the answer. */
      repeatableAt: z.iso.datetime(),
      /** Threats in the pages read so far, and how many of them Lantern did not have before. */
      found: z.int(),
      added: z.int(),
      /** Cursor of the next page; null after the last one. */
      nextOffset: z.nullable(z.int()),
      /** How many more the vendor reports; null where it reports no total. */
      more: z.nullable(z.int()),
    }),
  ),
})
export type FullTextSearch = z.infer<typeof fullTextSearchSchema>
