import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { readSigningSecrets, resealRecipients } from '#bff/notify/recipient-seals.ts'
import { lanternProfileSavedSchema } from '#contract/bff/alert-profile.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('a secret that is replaced signs for 24 hours more, and is not shown again', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, publish, receiver } = await startProfiles(database)
  const { profile: made, secrets } = await create()
  const recipientId = made.recipients[0]?.id ?? ''
  const path = `/bff/alert-profiles/${made.id}/recipients/${recipientId}/secret`
  const replaced = lanternProfileSavedSchema.parse(await (await ask(path, { method: 'POST' })).json())
  const [former = '', next = ''] = [secrets[recipientId], replaced.secrets[recipientId]]
  expect(next).toMatch(/^whsec_/)
  expect(next).not.toBe(former)
  await publish({ id: 'new' })
  await expect.poll(() => receiver.received.length).toBe(1)
  const { headers = {}, body = '' } = receiver.received[0] ?? {}
  const all = String(new Map(Object.entries(headers)).get('webhook-signature')).split(' ')
  expect(all).toHaveLength(2)
  for (const signing of [former, next]) {
    const given = Object.entries(headers).map(([name, value]) => [name, String(value)])
    expect(new Webhook(signing).verify(body, Object.fromEntries(given))).toMatchObject({ data: { page: 1 } })
  }
  const secretsAfter = (hours: number) =>
    readSigningSecrets(
      database,
      'secret-of-the-tests',
      `${receiver.origin}/hook`,
      Date.now() + hours * 3_600_000,
    )
  expect(await secretsAfter(23.9)).toEqual([next, former])
  expect(await secretsAfter(24.1)).toEqual([next])
  const renewed = { secret: 'another-secret-of-the-tests', before: 'secret-of-the-tests' }
  await resealRecipients(database, renewed)
  const resealed = await readSigningSecrets(database, renewed.secret, `${receiver.origin}/hook`)
  expect(resealed).toEqual([next, former])
  const audited = await ask('/bff/audit?timeZone=UTC&action=alert-secret-replaced')
  const record = JSON.stringify(await audited.json())
  expect(record).toContain(recipientId)
  expect(record).not.toContain('whsec_')
  const gone = await ask(path.replace(recipientId, made.id), { method: 'POST' })
  expect(await readProblem(gone)).toMatchObject({ status: 404 })
})
