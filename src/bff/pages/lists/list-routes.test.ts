import { expect, test } from 'vitest'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import { createListMatching } from '#bff/store/lists/match-lists.ts'
import { FIRST_AFTER } from '#contract/bff/list.ts'
import type { EntryDraft } from '#contract/bff/list-draft.ts'
import type { Database } from '#database/database.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { entry, NO_LOG, SUPPLIERS, withLists } from '#test/support/lists/open-lists.ts'

/** Stores another victim of a threat, as the sync does. */
async function changeThreat(database: Database, id: string, from: string, to: string): Promise<void> {
  await database.query('update window_threat set threat = replace(threat, $2, $3) where id = $1', [
    id,
    from,
    to,
  ])
  await appendChanges(database, [{ threatId: id, kind: 'changed', fields: ['organizations'] }], 'past')
}

test(
  'says which entries of a list are threatened, by which rule, and how surely',
  withLists(async ({ ada, match }) => {
    const made = await ada.create()
    expect(made).toMatchObject({ entryCount: 4, isMatching: true, matched: { certain: 0, toConfirm: 0 } })
    await match()

    expect(await ada.pairs(made.id)).toEqual([
      ['by-domain', 'Okapi Ltd', 'certain', 'domain'],
      ['by-name', 'Northwind Traders Ltd', 'certain', 'name'],
      ['everyday', 'Apex Ltd', 'to-confirm', 'name'],
      ['long-ago', 'Northwind Traders Ltd', 'certain', 'name'],
    ])
    // A list counts entries of the last 12 months, an entry its threats of all stored time.
    expect(await ada.lists()).toMatchObject([{ isMatching: false, matched: { certain: 2, toConfirm: 1 } }])
    expect((await ada.entries(made.id)).entries).toMatchObject([
      {
        name: 'Okapi Ltd',
        key: 'S-17',
        weight: 'critical',
        matched: { certain: 1 },
        latestAt: '2026-03-10T09:00:00.000Z',
      },
      { name: 'Northwind Traders Ltd', matched: { certain: 2, toConfirm: 0 }, everydayName: null },
      {
        name: 'Apex Ltd',
        matched: { certain: 0, toConfirm: 1 },
        everydayName: expect.stringMatching(/confirm/),
      },
      { name: 'Zebra & Sons', matched: { certain: 0, toConfirm: 0 }, latestAt: null },
    ])
    expect((await ada.entries(made.id, '?q=s-17')).entries.map(({ name }) => name)).toEqual(['Okapi Ltd'])
    const [{ id: entryId } = { id: '' }] = (await ada.entries(made.id, '?q=s-17')).entries
    expect(await ada.entries(made.id, `?entry=${entryId}`)).toMatchObject({
      total: 1,
      entries: [{ id: entryId }],
    })
  }),
)

test(
  'compares threats that come later with every entry, and forgets those that are withdrawn',
  withLists(async ({ ada, match }, database) => {
    const { id } = await ada.create({ entries: [entry('Zebra & Sons')] })
    await match()
    expect(await ada.pairs(id)).toEqual([])
    await changeThreat(database, 'of-another', 'Contoso', 'zebra and sons')
    await match()
    expect(await ada.pairs(id)).toEqual([['of-another', 'Zebra & Sons', 'certain', 'name']])

    await database.query(`delete from window_threat where id = 'of-another'`)
    expect(await ada.pairs(id)).toEqual([])
  }),
)

test(
  'compares threats with the current name of an entry, in any order of commits',
  withLists(async ({ ada, match }, database) => {
    const { id } = await ada.create({ entries: [entry('Zebra & Sons'), entry('Giraffe')] })
    await match()
    await changeThreat(database, 'of-another', 'Contoso', 'Contoso Inc')
    await match()
    // What a transaction leaves that took its number before another one and ended after it.
    await database.query(
      `update list_entry set name = 'Contoso', revision = (select min(revision) from list_entry) - 1
        where name = 'Zebra & Sons'`,
    )
    await changeThreat(database, 'of-another', 'Contoso Inc', 'CONTOSO Ltd')
    await match()

    expect(await ada.pairs(id)).toEqual([['of-another', 'Contoso', 'certain', 'name']])
  }),
)

test(
  'shows the old matches until a new comparison ends, also after an interruption',
  withLists(async ({ ada, match }, database) => {
    const { id } = await ada.create()
    await match()
    const before = await ada.pairs(id)
    await database.query('update list_entry set is_matched = false')
    const stop = new AbortController()
    const stoppedInTheMiddle: Database = {
      ...database,
      query(text, values) {
        if (text.includes('from window_threat where id >')) stop.abort()
        return database.query(text, values)
      },
    }
    await createListMatching({ database: stoppedInTheMiddle, log: NO_LOG }).matchUnmatched(stop.signal)

    expect(stop.signal.aborted).toBe(true)
    expect(await ada.pairs(id)).toEqual(before)
    expect(await ada.lists()).toMatchObject([{ isMatching: true }])
  }),
)

test(
  'stores a hundred entries of one threat at most, and compares the lists of others all the same',
  withLists(async ({ ada, match }) => {
    const many = Array.from({ length: 2_000 }, (_, at) => entry(`Site ${at}`, { domains: ['okapi.example'] }))
    const { id } = await ada.create({ name: 'Repeated', entries: many })
    const other = await ada.create()
    await match()

    expect((await ada.matches(id)).total).toBe(100)
    expect(await ada.pairs(other.id)).toContainEqual(['by-domain', 'Okapi Ltd', 'certain', 'domain'])
  }),
)

test(
  'remembers a decision only for its pair, also after new matching, until it is undone',
  withLists(async ({ ada, match }, database) => {
    const { id } = await ada.create()
    await match()
    const { matches } = await ada.matches(id)
    const everyday = matches.find(({ threat }) => threat.id === 'everyday')
    const pair = { threatId: 'everyday', entryId: everyday?.entryId }

    expect(await ada.pairs(id, '?show=to-confirm')).toEqual([['everyday', 'Apex Ltd', 'to-confirm', 'name']])
    expect((await ada.decide(id, { ...pair, decision: 'confirmed' })).status).toBe(204)
    expect(await ada.pairs(id)).toContainEqual(['everyday', 'Apex Ltd', 'certain', 'name'])
    expect(await ada.pairs(id, '?show=to-confirm')).toEqual([])
    expect((await ada.decide(id, { ...pair, decision: 'rejected' })).status).toBe(204)
    await database.query('update list_entry set is_matched = false')
    await match()
    expect((await ada.pairs(id)).map(([threat]) => threat)).toEqual(['by-domain', 'by-name', 'long-ago'])
    expect(await ada.pairs(id, '?show=rejected')).toEqual([['everyday', 'Apex Ltd', 'to-confirm', 'name']])
    expect((await ada.decide(id, { ...pair, decision: null })).status).toBe(204)
    expect(await ada.pairs(id)).toContainEqual(['everyday', 'Apex Ltd', 'to-confirm', 'name'])

    expect((await ada.decide(id, { ...pair, threatId: 'of-another', decision: 'confirmed' })).status).toBe(
      404,
    )
    const { rows } = await database.query(
      `select before, after from audit_event where action = 'list-match-decided' order by id`,
    )
    expect(rows).toMatchObject([
      { after: expect.stringContaining('"decision":"confirmed"') },
      { after: expect.stringContaining('"decision":"rejected"') },
      { after: expect.stringContaining('"decision":null') },
    ])
  }),
)

test(
  'matches an entry again if its name or domains change, but not if its note does',
  withLists(async ({ ada, match }) => {
    const { id } = await ada.create({ entries: [entry('Okapi Ltd', { domains: ['okapi.example'] })] })
    await match()
    const [okapi] = (await ada.entries(id)).entries
    const path = `/bff/lists/${id}/entries/${okapi?.id}`
    const put = (draft: EntryDraft) => ada.ask(path, { method: 'PUT', body: draft })

    expect(
      (await put(entry('Okapi Ltd', { domains: ['okapi.example'], note: 'Renews in May' }))).status,
    ).toBe(204)
    expect((await ada.entries(id)).entries).toMatchObject([{ note: 'Renews in May', isMatching: false }])
    expect((await put(entry('Contoso'))).status).toBe(204)
    expect((await ada.entries(id)).entries).toMatchObject([{ isMatching: true }])
    await match()
    expect(await ada.pairs(id)).toEqual([['of-another', 'Contoso', 'certain', 'name']])
    expect((await ada.ask(path, { method: 'DELETE' })).status).toBe(204)
    expect((await ada.entries(id)).total).toBe(0)
  }),
)

test(
  'pages through entries by id, so that an entry listed meanwhile is not lost',
  withLists(async ({ ada, match }) => {
    const { id } = await ada.create()
    const first = await ada.entries(id, `?after=${FIRST_AFTER}`)
    const ids = first.entries.map((one) => one.id)
    expect(ids).toEqual(ids.toSorted())
    expect(first.total).toBe(4)
    await match()
    const rest = await ada.entries(id, `?after=${ids[1]}`)
    expect(rest.entries.map((one) => one.id)).toEqual(ids.slice(2))
    expect(rest.total).toBe(2)
  }),
)

test(
  'adds all entries or none, and none twice',
  withLists(async ({ ada }) => {
    const { id } = await ada.create()
    const add = (entries: unknown[]) => ada.ask(`/bff/lists/${id}/entries`, { body: { entries } })
    expect(
      await (
        await add([entry('OKAPI LTD', { domains: ['okapi.example'] }), entry('New'), entry('New')])
      ).json(),
    ).toEqual({
      added: 1,
      known: 2,
    })
    for (const fault of [
      entry(' '),
      entry('a\0b'),
      entry('\ud800'),
      entry('x'.repeat(201)),
      entry('Bad', { domains: ['https://okapi.example'] }),
      entry('Bad', { domains: ['192.0.2.1'] }),
      entry('Bad', { domains: ['abc.onion'] }),
    ]) {
      expect((await add([entry('Good'), fault])).status, JSON.stringify(fault)).toBe(400)
    }
    expect((await ada.entries(id)).total).toBe(5)
    const many = Array.from({ length: 9_996 }, (_, at) => entry(`Supplier ${at}`))
    const { title, detail } = await readProblem(await add(many))
    expect(`${title}. ${detail}`).toMatch(
      /^These are too many entries\. .*10,000 .*50,000, .*Nothing was added/,
    )
    expect((await ada.entries(id)).total).toBe(5)
    expect((await add(many.slice(1))).status).toBe(201)
  }),
)

test(
  'refuses public suffixes for domains, which many organisations share, and names them',
  withLists(async ({ ada, match }) => {
    const faulty = [
      entry('Zebra', { domains: ['co.uk'] }),
      entry('Gnu', { domains: ['gnu.example', 'github.io'] }),
    ]
    const refused = await readProblem(
      await ada.ask('/bff/lists', { body: { ...SUPPLIERS, entries: faulty } }),
    )
    expect(refused).toMatchObject({
      status: 400,
      detail: expect.stringContaining('“co.uk” (entry “Zebra”), “github.io” (entry “Gnu”). Give'),
      fields: [
        { name: 'entries.0.domains', reason: expect.stringContaining('“co.uk”') },
        { name: 'entries.1.domains', reason: expect.stringContaining('“github.io”') },
      ],
    })
    expect(await ada.lists()).toEqual([])

    const { id } = await ada.create()
    expect((await ada.ask(`/bff/lists/${id}/entries`, { body: { entries: faulty } })).status).toBe(400)
    const [{ id: entryId } = { id: '' }] = (await ada.entries(id)).entries
    const path = `/bff/lists/${id}/entries/${entryId}`
    expect((await ada.ask(path, { method: 'PUT', body: faulty[0] })).status).toBe(400)
    const own = entry('Zebra', { domains: ['oka.co'] })
    expect((await ada.ask(path, { method: 'PUT', body: own })).status).toBe(204)
    await match()
    expect((await ada.entries(id)).total).toBe(4)
  }),
)

test(
  'shows what is shared to the team, what is private to its owner, and lets viewers read',
  withLists(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const viewer = await addPerson('viewer')
    const shared = await ada.create()
    const hidden = await ada.create({ name: 'Hidden', isShared: false })
    const theirs = await analyst.create({ name: 'Theirs' })

    expect((await viewer.lists()).map(({ name }) => name)).toEqual(['Suppliers', 'Theirs'])
    expect((await viewer.entries(shared.id)).total).toBe(4)
    const change = (who: typeof ada, id: string) =>
      who.ask(`/bff/lists/${id}`, { method: 'PUT', body: { name: 'Taken' } })
    expect((await change(viewer, shared.id)).status).toBe(403)
    expect((await readProblem(await change(analyst, shared.id))).code).toBe('role_not_allowed')
    for (const path of ['', '/entries', '/matches'])
      expect((await analyst.ask(`/bff/lists/${hidden.id}${path}`)).status, path).toBe(404)
    expect((await change(ada, theirs.id)).status).toBe(200)
    expect((await ada.ask(`/bff/lists/${theirs.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await analyst.lists()).toMatchObject([{ id: shared.id, owner: { isMe: false } }])
  }),
)

test(
  'changes a list unless another user changed it, and only its owner makes it private',
  withLists(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const { id, name, kind, isShared } = await analyst.create()
    const change = (who: typeof ada, body: object) =>
      who.ask(`/bff/lists/${id}`, { method: 'PUT', body: { ...body, before: { name, kind, isShared } } })

    expect((await change(analyst, { name: 'Vendors', kind: 'peer' })).status).toBe(200)
    expect((await readProblem(await change(ada, { name: 'Partners' }))).code).toBe('conflict')
    expect(await ada.lists()).toMatchObject([{ name: 'Vendors', kind: 'peer', isShared: true }])

    const hide = (who: typeof ada) =>
      who.ask(`/bff/lists/${id}`, { method: 'PUT', body: { isShared: false } })
    expect((await readProblem(await hide(ada))).code).toBe('role_not_allowed')
    expect((await hide(analyst)).status).toBe(200)
    expect(await ada.lists()).toEqual([])
  }),
)

test(
  'a list that is sent again under its key is made once',
  withLists(async ({ ada }) => {
    const body = { ...SUPPLIERS, idempotencyKey: crypto.randomUUID() }
    const answers = await Promise.all([ada.ask('/bff/lists', { body }), ada.ask('/bff/lists', { body })])
    expect(await answers[0]?.json()).toEqual(await answers[1]?.json())
    expect(await ada.lists()).toHaveLength(1)
  }),
)
