import { expect, test } from 'vitest'
import { profileProvedSchema } from '#contract/bff/alert-profile.ts'
import { problemSchema } from '#contract/bff/problem.ts'
import { recipientUsersSchema } from '#contract/bff/recipient.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('a test that no recipient can get is refused with the reason', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, receiver } = await startProfiles(database, { sending: 0 })
  const userId = recipientUsersSchema.parse(await (await ask('/bff/alert-profiles/users')).json()).users[0]
    ?.id
  const me = { channel: 'user', userId: userId ?? '' } as const
  const refusal = async (path: string) => {
    const response = await ask(`/bff/alert-profiles/${path}`, { method: 'POST' })
    const { title, detail } = problemSchema.parse(await response.json())
    return { status: response.status, title, detail }
  }
  const { profile } = await create([me])
  const noEmail = {
    status: 409,
    title: 'Email is not set up',
    detail:
      'Users get new matches in Notifications only. To test email, an admin sets SMTP_URL and MAIL_FROM.',
  }
  expect(await refusal(`${profile.id}/recipients/${profile.recipients[0]?.id}/test`)).toEqual(noEmail)

  await ask(`/bff/alert-profiles/${profile.id}/recipients/me`, { method: 'DELETE' })
  expect(await refusal(`${profile.id}/prove`)).toMatchObject({
    title: 'The profile has no recipients',
    detail: 'Edit the profile, and add a recipient.',
  })

  const { profile: sealed } = await create([{ channel: 'webhook', url: `${receiver.origin}/hook` }, me])
  await database.query(`update alert_recipient set sealed = '\\x00' where sealed is not null`)
  expect(await refusal(`${sealed.id}/recipients/${sealed.recipients[0]?.id}/test`)).toMatchObject({
    title: 'SECRET was replaced',
    detail: 'The address cannot be read. Edit the profile, and enter it again.',
  })
  const proved = profileProvedSchema.parse(
    await (await ask(`/bff/alert-profiles/${sealed.id}/prove`, { method: 'POST' })).json(),
  )
  expect(proved).toEqual({ sent: [], record: expect.any(String), userCount: 1 })
  await ask(`/bff/alert-profiles/${sealed.id}/recipients/me`, { method: 'DELETE' })
  expect(await refusal(`${sealed.id}/prove`)).toMatchObject({ title: 'SECRET was replaced' })
})
