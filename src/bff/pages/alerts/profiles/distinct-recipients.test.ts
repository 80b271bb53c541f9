import { expect, test } from 'vitest'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const MIA = { channel: 'email', address: 'mia@corp.example' } as const
const MAX = { channel: 'email', address: 'max@corp.example' } as const
const hook = (path: string) => ({ channel: 'webhook', url: `https://vendor.test/${path}` }) as const

test('recipients with the same masked address get a suffix, the same in profiles and ledger', async () => {
  const database = await takeDatabase('bff')
  const { create, ledger } = await startProfiles(database, { sending: 0, hasEmail: true })
  const { profile } = await create([MIA, MAX, hook('north'), hook('south')], { name: 'Clinics' })
  const shownOf = ({ recipients }: typeof profile) =>
    recipients.map((one) => (one.channel === 'user' ? one.name : one.destination))
  const shown = shownOf(profile)
  expect(new Set(shown).size).toBe(4)
  for (const [at, plain] of [
    'm…@corp.example',
    'm…@corp.example',
    'vendor.test/…',
    'vendor.test/…',
  ].entries())
    expect(shown[at]?.replace(/ \(#[0-9a-f]{4}\)$/, '')).toBe(plain)
  expect(JSON.stringify(profile)).not.toMatch(/mia|max|north|south/)

  const { profile: other } = await create([hook('south'), MAX], { name: 'Ports' })
  expect(shownOf(other)).toEqual([shown[3], shown[1]])
  const to = [MIA, MAX].map(({ channel, address }) => ({ channel, destination: address }))
  const test = { kind: 'test', causes: [], requestedBy: 'Ada', link: 'http://localhost:4173/' } as const
  await insertDeliveries(database, to, test, { secret: 'secret-of-the-tests' })
  const listed = (await ledger()).deliveries.map(({ destination }) => destination)
  expect(listed.toSorted()).toEqual(shown.slice(0, 2).toSorted())
})
