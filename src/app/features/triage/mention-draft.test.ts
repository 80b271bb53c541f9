import { expect, test } from 'vitest'
import { areMentionsOf } from '#contract/bff/triage.ts'
import {
  addMention,
  type CommentDraft,
  EMPTY_COMMENT,
  editDraft,
  findBegunMention,
  findPeople,
  type Person,
  trimDraft,
} from './mention-draft.ts'

const ADA: Person = { id: 'a0000000-0000-4000-8000-000000000001', name: 'Ada Samples', email: null }
const ONE: Person = { id: 'a0000000-0000-4000-8000-000000000002', name: 'Zoë Ng', email: 'one@corp.example' }
const OTHER: Person = { ...ONE, id: 'a0000000-0000-4000-8000-000000000003', email: 'other@corp.example' }
const PEOPLE = [ADA, ONE, OTHER]

/** Types at the end of a draft, and chooses a person for the mention that is begun there. */
function write(draft: CommentDraft, typed: string, person: Person): CommentDraft {
  const text = draft.text + typed
  const begun = findBegunMention(editDraft(draft, text, text.length), text.length)
  const added = begun && addMention(editDraft(draft, text, text.length), begun, person)
  return added?.draft ?? expect.fail('no mention was begun')
}

test.each([
  ['@', { start: 0, typed: '' }],
  ['ask @ada sa', { start: 4, typed: 'ada sa' }],
  ['(@zo', { start: 1, typed: 'zo' }],
  ['a@b.example', null],
  ['first.last@corp', null],
  ['@ home', null],
  ['@ada\nnext', null],
  ['no sign', null],
  ['', null],
])('a mention is begun in %j: %j', (text, begun) => {
  expect(findBegunMention({ text, mentions: [] }, text.length)).toEqual(begun)
})

test('finds people by the beginning of any word, without accents, and by the address of like names', () => {
  const idsOf = (typed: string) => findPeople(PEOPLE, typed).map(({ id }) => id)
  expect(idsOf('')).toEqual(PEOPLE.map(({ id }) => id))
  expect(idsOf('ada sa')).toEqual([ADA.id])
  expect(idsOf('SAMP')).toEqual([ADA.id])
  expect(idsOf('zoe')).toEqual([ONE.id, OTHER.id])
  expect(idsOf('other@corp.ex')).toEqual([OTHER.id])
  expect(idsOf('amples')).toEqual([])
})

test('mentions the chosen one of two users with the same name', () => {
  const both = write(write(EMPTY_COMMENT, '@zo', OTHER), 'and @Zo', ONE)
  expect(both).toEqual({
    text: '@Zoë Ng and @Zoë Ng ',
    mentions: [
      { accountId: OTHER.id, start: 0, end: 7 },
      { accountId: ONE.id, start: 12, end: 19 },
    ],
  })
  // The first goes, with the Delete key or a selection: the caret says which.
  expect(editDraft(both, 'and @Zoë Ng ', 0).mentions).toEqual([{ accountId: ONE.id, start: 4, end: 11 }])
  const adjacent = {
    text: '@Zoë Ng@Zoë Ng',
    mentions: [
      { accountId: OTHER.id, start: 0, end: 7 },
      { accountId: ONE.id, start: 7, end: 14 },
    ],
  }
  expect(editDraft(adjacent, '@Zoë Ng', 0).mentions).toEqual([{ accountId: ONE.id, start: 0, end: 7 }])
  expect(editDraft(adjacent, '@Zoë Ng', 7).mentions).toEqual([{ accountId: OTHER.id, start: 0, end: 7 }])
})

test('a mention moves with text before it, and ends when its name is changed', () => {
  const draft = write({ text: 'Ask ', mentions: [] }, '@ada', ADA)
  expect(editDraft(draft, `Please ${draft.text}`, 7).mentions).toEqual([
    { accountId: ADA.id, start: 11, end: 23 },
  ])
  expect(editDraft(draft, `${draft.text}now`, draft.text.length + 3).mentions).toEqual(draft.mentions)
  expect(editDraft(draft, 'Ask @Ada Sample ', 15).mentions).toEqual([])
  expect(editDraft(draft, 'Ask @Ada XSamples ', 10).mentions).toEqual([])
  expect(editDraft(draft, '', 0)).toEqual(EMPTY_COMMENT)
})

test('whatever is typed, mentions stay names in the text', () => {
  let draft = EMPTY_COMMENT
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let step = 0; step < 3_000; step += 1) {
    const from = random(draft.text.length + 1)
    const to = Math.min(draft.text.length, from + random(4))
    const typed = ['', 'x', '@', ' @zo', '\n', '@Zoë Ng '][random(6)] ?? ''
    const text = draft.text.slice(0, from) + typed + draft.text.slice(to)
    draft = editDraft(draft, text, from + typed.length)
    const begun = findBegunMention(draft, from + typed.length)
    if (begun && random(2) === 0) draft = addMention(draft, begun, random(2) ? ONE : ADA)?.draft ?? draft
    if (draft.text.length > 400) draft = editDraft(draft, draft.text.slice(200), 0)
    expect(areMentionsOf(draft.text, draft.mentions)).toBe(true)
    for (const { accountId, start, end } of draft.mentions)
      expect(draft.text.slice(start, end)).toBe(`@${accountId === ADA.id ? ADA.name : ONE.name}`)
  }
})

test('a comment is sent without the space around it', () => {
  const draft = write({ text: ' \n ', mentions: [] }, '@ada', ADA)
  expect(trimDraft(draft)).toEqual({
    text: '@Ada Samples',
    mentions: [{ accountId: ADA.id, start: 0, end: 12 }],
  })
})

test('a name that makes the comment too long is not added', () => {
  const text = `${'x'.repeat(1_995)} @ad`
  expect(addMention({ text, mentions: [] }, { start: 1_996, typed: 'ad' }, ADA)).toBeNull()
})
