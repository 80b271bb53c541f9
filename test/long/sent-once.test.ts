import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { alertCreatedSchema } from '#contract/bff/alert.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { DRAFT, vendorProfile } from '#test/support/alerts/start-alerts.ts'
import { type StandInUpstream, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { ADMIN, startLantern } from '#test/support/start-lantern.ts'
import { takeDatabase, urlOf } from '#test/support/with-database.ts'

/** A vendor that creates at once; its answer comes when the test lets it. */
function playCreation(standIn: StandInUpstream) {
  const created: object[] = []
  const taken = Promise.withResolvers<void>()
  // Without its lists the vendor would be one that lacks both APIs.
  standIn.play('/api/v1/threats', () => ({
    json: { data: [], meta: { total: 0, returned: 0, cursor: null } },
  }))
  standIn.play('/api/feed', () => ({
    json: { threats: [], pagination: { total: 0, limit: 20, offset: 0, has_more: false } },
  }))
  standIn.play('/api/alerts', ({ method }) => {
    if (method !== 'POST') return { json: { alert_profiles: created } }
    const createdAt = new Date(Date.now() - 3 * HOUR_MS).toISOString()
    created.push(vendorProfile({ id: `alp_${created.length + 1}`, created_at: createdAt }))
    taken.resolve()
    return { act: () => {} }
  })
  return { created, taken: taken.promise }
}

/** The whole of `npm start` on a database that outlives it, and its admin's browser. */
async function startOn(database: OpenDatabase, standIn: StandInUpstream) {
  const lantern = await startLantern({
    flags: ['--without-app'],
    settings: {
      DATABASE_URL: await urlOf(database),
      UPSTREAM_URL: standIn.url,
      UPSTREAM_API_KEY: 'key-of-the-tests',
      SECRET: 'secret-of-the-tests-and-long-enough',
    },
  })
  onTestFinished(async () => void (await lantern.stop('SIGKILL')))
  const post = (path: string, body: object, cookie = '') =>
    fetch(new URL(path, lantern.url), {
      method: 'POST',
      headers: { 'x-lantern': '1', 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/bff/sign-in', ADMIN)
  const cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  return { ...lantern, create: () => post('/bff/alerts?timeZone=UTC', DRAFT, cookie) }
}

test('a profile is created once though Lantern is killed before the vendor answers', {
  timeout: 150_000,
}, async () => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  const { created, taken } = playCreation(standIn)
  const killed = await startOn(database, standIn)
  const lost = killed.create().catch(() => null)
  await taken
  killed.child.kill('SIGKILL')
  await once(killed.child, 'close')
  expect(await lost).toBeNull()

  // Three hours pass.
  await database.query(`update alert_creation set sent_at = sent_at - interval '3 hours'`)
  const { create } = await startOn(database, standIn)
  // What the killed process was finding out of the vendor is waited for, a dozen seconds long.
  const outcome = async () => {
    const answer = await create()
    return answer.ok ? alertCreatedSchema.parse(await answer.json()) : null
  }
  await expect.poll(outcome, { interval: 500, timeout: 60_000 }).toMatchObject({
    outcome: 'found',
    profile: { id: 'alp_1' },
  })
  expect(created).toHaveLength(1)
})
