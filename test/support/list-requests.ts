import type { Page } from '@playwright/test'
import type * as z from 'zod/mini'
import { entryPageSchema, nameListSchema, nameListsSchema } from '#contract/bff/list.ts'
import type { EntryDraft, NewList } from '#contract/bff/list-draft.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'

const headers = { 'x-lantern': '1' }

async function read<Schema extends z.ZodMiniType>(
  page: Page,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return schema.parse(await (await page.request.get(path, { headers })).json())
}

/** An entry of a list. */
export function entryOf(name: string, domains: string[] = []): EntryDraft {
  return { name, domains, note: null, key: null, weight: 'normal' }
}

/** The names of victims of the newest threats of which a domain is known, too. */
export async function readVictims(page: Page): Promise<string[]> {
  const { threats } = await read(page, '/bff/threats', threatListSchema)
  return threats.flatMap(({ organizations, domains }) => (domains.length > 0 ? organizations : []))
}

/** Makes a list. Its entries are compared in the background. Answers the list's id and those of its entries. */
export async function addList(page: Page, list: NewList): Promise<{ id: string; entryIds: string[] }> {
  const answer = await page.request.post('/bff/lists', { headers, data: list })
  const { id } = nameListSchema.parse(await answer.json())
  const { entries } = await read(page, `/bff/lists/${id}/entries`, entryPageSchema)
  return { id, entryIds: entries.map((entry) => entry.id) }
}

/** Other tests of the worker begin without lists. */
export async function removeLists(page: Page): Promise<void> {
  const { lists } = await read(page, '/bff/lists', nameListsSchema)
  for (const { id } of lists) await page.request.delete(`/bff/lists/${id}`, { headers })
}
