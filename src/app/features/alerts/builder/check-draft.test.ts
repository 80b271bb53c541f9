import { expect, test } from 'vitest'
import { startDraft } from './builder-draft.ts'
import { checkDraft } from './check-draft.ts'

const KNOWN = { hosts: [], runsIn: 'vendor' } as const

test('a draft with a name and a keyword can be sent', () => {
  expect(checkDraft(startDraft({ name: 'Clinics', keywords: ['northwind'] }), KNOWN).size).toBe(0)
})

test('names each field that cannot be sent, and why', () => {
  const draft = {
    ...startDraft({ name: ' ', keywords: ['acme', '—', 'x'.repeat(201)] }),
    email: ['ada@lantern.example', 'ada'],
    slack: 'https://hooks.slack.example/services/T0/B0/x',
    teams: 'https://acme.webhook.office.com/webhookb2/ab',
  }
  const faults = checkDraft(draft, KNOWN)
  expect([...faults.keys()]).toEqual(['name', 'keywords.1', 'keywords.2', 'email.1', 'slack', 'teams'])
  expect(faults.get('keywords.1')).toBe('It has no letter and no digit.')
  expect(faults.get('teams')).toContain('switched off')
})

test('an address is in the list once, in whatever letter case', () => {
  const email = ['Soc@corp.example', 'duty@corp.example', 'soc@CORP.example']
  const faults = checkDraft({ ...startDraft({ name: 'Clinics', keywords: ['acme'] }), email }, KNOWN)
  expect([...faults]).toEqual([['email.2', 'This address is already in the list.']])
})

test('requires at least one keyword', () => {
  expect(checkDraft(startDraft({ name: 'Clinics' }), KNOWN).get('keywords')).toBe('Add at least one keyword.')
})

test('a profile in Lantern has a recipient, and a search where it has no keywords', () => {
  const draft = startDraft({ name: 'Clinics', mode: 'search', filter: {} })
  expect([...checkDraft(draft, { ...KNOWN, runsIn: 'lantern' }).keys()]).toEqual(['search', 'users'])
  const whole = { ...draft, filter: { country: ['DE'] }, webhook: 'http://a.example' }
  expect([...checkDraft(whole, { ...KNOWN, runsIn: 'lantern' }).keys()]).toEqual(['webhook'])
})
