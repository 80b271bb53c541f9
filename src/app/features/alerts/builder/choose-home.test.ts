import { expect, test } from 'vitest'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { type BuilderDraft, startDraft } from './builder-draft.ts'
import { chooseHome } from './choose-home.ts'
import * as words from './search-words.ts'

const SIMPLE: Partial<BuilderDraft> = {
  keywords: ['acme'],
  categories: ['DDoS'],
  email: ['ada@corp.example'],
  slack: 'https://a.example',
}

test.each<[string, Partial<BuilderDraft>, string, RegExp]>([
  ['keywords, categories and mail', SIMPLE, 'vendor', /^Runs in the vendor’s account, which sends/],
  ['its author’s choice', { ...SIMPLE, isForLantern: true }, 'lantern', /as you chose/],
  ['a user', { ...SIMPLE, userIds: ['u-1'] }, 'lantern', /cannot notify users of Lantern/],
  ['a signed webhook', { ...SIMPLE, webhook: 'https://a.example' }, 'lantern', /cannot use signed webhooks/],
  ['words alone in a search', { mode: 'search', filter: { q: 'a OR b' } }, 'vendor', /^Runs in the vendor/],
  [
    'a country',
    { mode: 'search', filter: { q: 'a', country: ['DE'] } },
    'lantern',
    /because the vendor’s account cannot filter by country/,
  ],
])('chooses where a profile with %s runs, and explains it', (_, draft, runsIn, sentence) => {
  expect(chooseHome({ ...startDraft({}), ...draft }, { refusal: null, words })).toMatchObject({
    runsIn,
    sentence: expect.stringMatching(sentence),
  })
})

test.each<[ThreatFilter, object]>([
  [
    { q: 'a OR "b c"', category: ['DDoS'] },
    { keywords: ['a', 'b c'], categories: ['DDoS'] },
  ],
  [{ q: 'a category:DDoS' }, { keywords: ['a'], categories: ['DDoS'] }],
  [{ q: 'a category:DDoS', category: ['x'] }, { lack: 'cannot require two lists of categories' }],
  [{ category: ['x'] }, { lack: 'needs a keyword' }],
  [{ q: 'a', within: '7d' }, { lack: 'cannot filter by date' }],
])('%j as keywords and categories', (filter, expected) => {
  expect(words.toSimple(filter)).toEqual(expected)
})

test('a profile that our own service can store is sent by Lantern, and the choice is about the API', () => {
  const own = { refusal: null, words, isOwnService: true }
  const home = (draft: Partial<BuilderDraft>) => chooseHome({ ...startDraft({}), ...SIMPLE, ...draft }, own)
  expect(home({})).toEqual({
    runsIn: 'vendor',
    sentence: 'Lantern sends its messages. Programs that use the API see this profile, too.',
    other: 'Hide from the API',
  })
  expect(home({ isForLantern: true })).toEqual({
    runsIn: 'lantern',
    sentence: 'Lantern sends its messages. Programs that use the API do not see this profile.',
    other: 'Show in the API',
  })
  expect(home({ isShift: true })).toEqual({
    runsIn: 'lantern',
    sentence: 'Lantern sends its messages.',
    other: null,
  })
})
