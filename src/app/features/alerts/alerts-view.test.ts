import { expect, test } from 'vitest'
import { anAlertList, aProfile } from '#test/fixtures/alert-fixtures.ts'
import { aLanternProfile, anId } from '#test/fixtures/delivery-fixtures.ts'
import { findProfiles } from './alerts-view.tsx'
import { listRows } from './profiles/profile-row.ts'

const vendor = anAlertList([
  aProfile('p-1', { name: 'Spital Zürich', keywords: ['"pale harbour"'], categories: [] }),
  aProfile('p-2', { name: 'Banks', keywords: ['north bank'], categories: ['DDoS'] }),
])
const rows = listRows(vendor, [
  aLanternProfile(1, { name: 'Clinics', filter: { q: 'hospital', actor: ['Hunters'] } }),
])

test.each([
  ['', ['p-2', anId(1), 'p-1']],
  ['zuri', ['p-1']],
  ['harbour', ['p-1']],
  ['ddos', ['p-2']],
  ['hunters', [anId(1)]],
  ['ank', []],
  ['bank north', []],
])('%j finds %j', (text, ids) => {
  expect(findProfiles(rows, text).map(({ profile }) => profile.id)).toEqual(ids)
})
