import { expect, test } from 'vitest'
import { describeConcern } from './describe-concern.ts'
import { type ListKind, MATCH_RULES, type MatchRule } from './list-match.ts'

const CONCERN = {
  kind: 'supplier',
  listName: 'Suppliers',
  entryName: 'Okapi Ltd',
  certainty: 'certain',
  rule: 'domain',
  text: 'okapi.example',
} as const

test.each<[Partial<{ kind: ListKind; rule: MatchRule }> & Record<string, string>, string]>([
  [{}, 'Supplier: Okapi Ltd (certain: same domain okapi[.]example, list Suppliers)'],
  [
    { kind: 'own', certainty: 'to-confirm', rule: 'name-in-text', text: 'Okapi of okapi.example' },
    'Own brand: Okapi Ltd (to confirm: name in the text “Okapi of okapi[.]example”, list Suppliers)',
  ],
  [
    { entryName: 'okapi.example\u202e\n=1+1', listName: 'a\nb\u202e', rule: 'similar', text: 'x\u200b' },
    'Supplier: okapi[.]example‹U+202E› =1+1 (certain: similar name “x‹U+200B›”, list a b‹U+202E›)',
  ],
])('%j is described in one inert line', (members, words) => {
  expect(describeConcern({ ...CONCERN, ...members })).toBe(words)
})

test('each rule has words of its own', () => {
  expect(new Set(MATCH_RULES.map((rule) => describeConcern({ ...CONCERN, rule }))).size).toBe(
    MATCH_RULES.length,
  )
})
