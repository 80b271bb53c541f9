import { expect, test } from 'vitest'
import { readInbox } from '#bff/notify/inbox-queries.ts'
import { decidePairs } from '#bff/store/cases/decision-queries.ts'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { settleCases } from '#bff/store/cases/settle-cases.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { ownersSchema } from '#contract/bff/triage.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { addAccount, claim, OKAPI, withCases, ZEBRA } from '#test/support/store/open-cases.ts'

test(
  'all claims of a case change together, and back',
  withCases(async ({ act, undo, look, readHistory }) => {
    const closed = await act({ action: 'close', ids: ['okapi-1'], reason: 'handled', text: null })
    expect([closed.caseCount, closed.states.map(({ id }) => id).sort()]).toEqual([1, OKAPI])
    await act({ action: 'note', ids: ['okapi-2'], text: 'ask legal' })

    const states = await look()
    expect(OKAPI.map((id) => [states.get(id)?.closed?.reason, states.get(id)?.notes])).toEqual([
      ['handled', 1],
      ['handled', 1],
    ])
    expect(states.has('alone')).toBe(false)
    expect((await readHistory('okapi-1')).map(({ action }) => action)).toEqual(['note', 'close'])

    const undone = await undo(closed.undoId)
    expect(undone.caseCount).toBe(1)
    expect([...(await look()).values()].map((state) => state.closed)).toEqual([null, null])
  }),
)

test(
  'a case has one owner, and its history names the owner',
  withCases(async ({ act, undo, look, ownId, readHistory }, database) => {
    const graceId = await addAccount(database, { email: 'grace@corp.example', role: 'analyst' })
    await act({ action: 'assign', ids: ['okapi-1', 'alone'], ownerId: graceId })
    expect((await look()).get('okapi-2')?.owner).toMatchObject({
      ownerId: graceId,
      name: 'Grace Example',
      who: 'ada',
      isMe: false,
    })

    const taken = await act({ action: 'assign', ids: ['okapi-1'], ownerId: ownId })
    expect((await look()).get('okapi-2')?.owner).toMatchObject({ ownerId: ownId, isMe: true })
    expect((await readHistory('okapi-2')).map(({ action, owner }) => [action, owner])).toEqual([
      ['assign', 'ada'],
      ['assign', 'Grace Example'],
    ])

    await undo(taken.undoId)
    expect((await look()).get('okapi-2')?.owner?.name).toBe('Grace Example')
    await act({ action: 'release', ids: ['okapi-2'] })
    expect((await look()).get('okapi-1')?.owner).toBeNull()
    expect((await look()).get('alone')?.owner?.name).toBe('Grace Example')
  }),
)

test(
  'the last decision names the user whose decision it replaces',
  withCases(async ({ act, ownId }, database) => {
    await act({ action: 'assign', ids: ['okapi-1'], ownerId: ownId })
    await database.query(`update triage_state set owned_by = 'grace@corp.example'`)
    const released = await act({ action: 'release', ids: ['okapi-2'] })
    expect(released.overtook?.who).toBe('grace@corp.example')
    const again = await act({ action: 'assign', ids: ['okapi-2'], ownerId: ownId })
    expect(again.overtook).toBeNull()
  }),
)

test(
  'only people who can act on cases own one',
  withCases(async ({ ask, post, look }, database) => {
    const viewer = await addAccount(database, { email: 'v@corp.example', role: 'viewer' })
    const gone = await addAccount(database, { email: 'g@corp.example', role: 'analyst', isDisabled: true })
    for (const ownerId of [viewer, gone, '00000000-0000-4000-8000-000000000000']) {
      const answer = await post('', { action: 'assign', ids: ['okapi-1'], ownerId })
      expect(answer.status).toBe(400)
      expect((await readProblem(answer)).title).toBe('This user cannot own a case')
    }
    expect((await look()).size).toBe(0)
    const { owners } = ownersSchema.parse(await (await ask('/bff/triage/owners')).json())
    expect(owners.map(({ name }) => name)).toEqual(['ada'])
  }),
)

test(
  'a claim that comes to a case gets its owner, its star and its notes',
  withCases(async ({ act, ownId, readHistory, lookAt }, database) => {
    await claim(database, 'first')
    await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    await act({ action: 'star', ids: ['first'] })
    await act({ action: 'note', ids: ['first'], text: 'ask legal' })
    await act({ action: 'read', ids: ['first'] })
    await claim(database, 'second', { actors: ['bluejay'] })

    expect(await lookAt('second')).toMatchObject({
      owner: { ownerId: ownId },
      starred: { who: 'ada' },
      notes: 1,
      read: null,
    })
    expect((await readHistory('second')).map(({ action, who }) => [action, who])).toEqual([
      ['star', 'Lantern'],
      ['assign', 'Lantern'],
      ['read', 'ada'],
      ['note', 'ada'],
      ['star', 'ada'],
      ['assign', 'ada'],
    ])
  }),
)

test(
  'a case says what its unread claims add to those that the team has read',
  withCases(async ({ act, lookAt }, database) => {
    await claim(database, 'first')
    await claim(database, 'second', { actors: ['bluejay'] })
    expect((await lookAt('second'))?.news).toBeUndefined()

    await act({ action: 'read', ids: ['first'] })
    expect((await lookAt('second'))?.news).toBeUndefined()
    await claim(database, 'repeat', { actors: ['RedFox'] })
    expect((await lookAt('repeat'))?.news).toBeUndefined()
    await claim(database, 'more', { actors: ['night owl'], severity: 'critical', excerpt: 'Data published.' })
    await claim(database, 'again', { actors: ['night owl'], excerpt: 'The deadline has passed' })
    const news = 'now critical, also claimed by night owl, deadline passed, data published'
    expect([(await lookAt('more'))?.news, (await lookAt('first'))?.news]).toEqual([news, news])

    const read = await act({ action: 'read', ids: ['more'] })
    expect(read.states.map((state) => state.news)).not.toContain(news)
    expect((await lookAt('first'))?.news).toBeUndefined()
  }),
)

test(
  'a case with more facts than can be compared has no news',
  withCases(async ({ act, lookAt }, database) => {
    await act({ action: 'read', ids: ['okapi-1'] })
    await database.query(`update triage_state set read_at = null where threat_id = 'okapi-2'`)
    const claimBy = async (groups: number) => {
      const actors = Array.from({ length: groups }, (_, at) => `${'abcdefghijkl'[at]}wolf`.repeat(3))
      const of = (id: string) => makeThreat(id, '2026-03-10T09:00:00.000Z', { actors })
      await storeThreats(database, placeThreats([of('okapi-2')], '2026-03-10T09:00:00.000Z'))
    }
    await claimBy(2)
    expect((await lookAt('okapi-1'))?.news).toBe('also claimed by awolfawolfawolf, bwolfbwolfbwolf')
    for (let claim = 0; claim < 10; claim++) {
      const actors = Array.from({ length: 12 }, (_, at) => `${claim} ${at} wolves`)
      const at = '2026-03-10T09:00:00.000Z'
      await storeThreats(database, placeThreats([makeThreat(`more-${claim}`, at, { actors })], at))
    }
    await database.query(
      `insert into case_claim (threat_id, case_id, own_id)
       select 'more-' || n, case_id, own_id from generate_series(0, 9) as n, case_claim where threat_id = 'okapi-1'`,
    )
    expect((await lookAt('okapi-1'))?.news).toBeUndefined()
  }),
)

test(
  'people have one name everywhere, with the email where two have the same',
  withCases(async ({ act, ask, look, ownId, readHistory }, database) => {
    const graceId = await addAccount(database, { email: 'grace@corp.example', role: 'analyst' })
    await act({ action: 'assign', ids: ['okapi-1'], ownerId: graceId })
    await act({ action: 'star', ids: ['okapi-1'] })
    const names = async () => {
      const state = (await look()).get('okapi-1')
      const owners = ownersSchema.parse(await (await ask('/bff/triage/owners')).json()).owners
      const inHistory = (await readHistory('okapi-1')).find(({ action }) => action === 'assign')
      return [
        [state?.owner?.name, owners.find(({ id }) => id === graceId)?.name, inHistory?.owner],
        [state?.starred?.who, owners.find(({ id }) => id === ownId)?.name, inHistory?.who],
      ]
    }
    const all = (name: string) => [name, name, name]
    expect(await names()).toEqual([all('Grace Example'), all('ada')])
    await database.query(`update account set name = 'GRACE example' where id = $1`, [ownId])
    expect(await names()).toEqual([
      all('Grace Example (grace@corp.example)'),
      all(`GRACE example (${ADMIN.email})`),
    ])
    await act({ action: 'assign', ids: ['okapi-1'], ownerId: ownId })
    await database.query(`update triage_state set owned_by = 'grace@corp.example'`)
    const { overtook } = await act({ action: 'release', ids: ['okapi-1'] })
    expect(overtook?.who).toBe('Grace Example (grace@corp.example)')
    await database.query(`update triage_state set starred_by = 'gone@corp.example'`)
    expect((await look()).get('okapi-1')?.starred?.who).toBe('gone@corp.example')
  }),
)

test(
  'a join keeps the later of two owners, and undo restores the other one',
  withCases(async ({ act, undo, ownId, lookAt, readHistory }, database) => {
    const graceId = await addAccount(database, { email: 'grace@corp.example', role: 'analyst' })
    await claim(database, 'first')
    await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    await claim(database, 'grace-1', ZEBRA)
    await act({ action: 'assign', ids: ['grace-1'], ownerId: graceId })
    await database.transaction(async (tx) => {
      await decidePairs(tx, { accountId: ownId, who: ADMIN.email, action: 'join' }, [
        { one: 'first', other: 'grace-1', decision: 'same' },
      ])
      await settleCases(tx, ['first', 'grace-1'])
    })
    expect((await lookAt('first'))?.owner?.name).toBe('Grace Example')

    const shared = (await readHistory('first')).find(({ who }) => who === 'Lantern')
    await undo(shared?.id ?? null)
    expect((await lookAt('first'))?.owner?.isMe).toBe(true)
  }),
)

test(
  'a closed case stays closed until a claim says something new, and its owner is notified then',
  withCases(async ({ act, lookAt, ownId }, database) => {
    await claim(database, 'first')
    await act({ action: 'assign', ids: ['first'], ownerId: ownId })
    await act({ action: 'close', ids: ['first'], reason: 'handled', text: 'ticket 7' })
    await claim(database, 'again', { title: 'Okapi Freight Ltd part 2' })
    expect((await lookAt('again'))?.closed).toMatchObject({
      who: 'Lantern',
      reason: 'handled',
      text: 'ticket 7',
    })

    const notices = async () => (await readInbox(database, ownId)).items
    expect(await notices()).toEqual([])

    await claim(database, 'other-group', { actors: ['bluejay'] })
    expect((await lookAt('other-group'))?.closed ?? null).toBeNull()
    await claim(database, 'later', { title: 'Okapi Freight Ltd part 3' })
    expect((await lookAt('later'))?.closed ?? null).toBeNull()
    expect(await notices()).toMatchObject([
      {
        title: 'A closed case of yours is open again',
        detail: 'Okapi Freight Ltd: also claimed by bluejay',
        path: '/threats/other-group',
      },
    ])
  }),
)

test(
  'a case closed as not relevant stays closed after a claim by any actor',
  withCases(async ({ act, lookAt }, database) => {
    await claim(database, 'first')
    await act({ action: 'close', ids: ['first'], reason: 'not_relevant', text: null })
    await claim(database, 'other-group', { actors: ['bluejay'], severity: 'critical' })
    expect((await lookAt('other-group'))?.closed?.reason).toBe('not_relevant')
  }),
)

test(
  'an older record that is read later is not closed with its case',
  withCases(async ({ act, lookAt }, database) => {
    await claim(database, 'first')
    await act({ action: 'close', ids: ['first'], reason: 'duplicate', text: null })
    const past = makeThreat('past', new Date(Date.now() - 86_400_000).toISOString(), {
      title: 'Okapi Freight Ltd',
      organizations: ['Okapi Freight Ltd'],
      actors: ['redfox'],
    })
    await storeThreats(database, placeThreats([past], new Date().toISOString()))
    await placeAllClaims(database)
    expect((await lookAt('past'))?.closed ?? null).toBeNull()
  }),
)
