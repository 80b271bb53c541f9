import { expect, test } from 'vitest'
import type { Arrangement } from '#contract/bff/arrangement.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import { DRAFT, withViews } from '#test/support/views/open-views.ts'

test(
  'keeps a filter under a name, for oneself or for the team',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const own = await ada.save()
    const shared = await ada.save({ name: 'ours \u202e', filter: { q: 'a\u0000b' }, isShared: true })

    expect(own).toMatchObject({ ...DRAFT, owner: { isMe: true }, isDefault: false, hasFeed: false })
    expect((await ada.list()).map(({ id }) => id)).toEqual([own.id, shared.id])
    expect(await analyst.list()).toMatchObject([
      { id: shared.id, filter: { q: 'a\u0000b' }, owner: { isMe: false } },
    ])
  }),
)

test(
  'stores the list layout with its view, until a change replaces it',
  withViews(async ({ ada }) => {
    const arrangement: Arrangement = {
      sort: 'victim',
      order: 'desc',
      group: 'day',
      groupOrder: 'size',
      columns: ['victim', 'actor'],
      density: 'compact',
      rows: 'claims',
    }
    const { id } = await ada.save({ arrangement })
    const plain = await ada.save({ name: 'plain' })
    expect(plain).not.toHaveProperty('arrangement')
    await ada.change(id, { name: 'renamed' })
    expect((await ada.list()).map((view) => view.arrangement)).toEqual([undefined, arrangement])
    expect(await (await ada.change(id, { arrangement: { sort: 'severity' } })).json()).toMatchObject({
      name: 'renamed',
      arrangement: { sort: 'severity' },
    })
    expect(await (await ada.change(id, { arrangement: {} })).json()).toMatchObject({ arrangement: {} })
    expect((await ada.change(id, { arrangement: { sort: 'weather' } })).status).toBe(400)
  }),
)

test(
  'keeps overdue cases and their order in words that older Lanterns read',
  withViews(async ({ ada }, database) => {
    const { id } = await ada.save({
      filter: { triage: 'overdue' },
      arrangement: { sort: 'due', order: 'asc' },
    })
    const stored = async () => (await database.query('select filter, arrangement from saved_view')).rows
    const words = [
      { filter: '{"triage":"open","isOverdue":true}', arrangement: '{"order":"asc","isByDue":true}' },
    ]
    expect(await stored()).toEqual(words)
    const read = { filter: { triage: 'overdue' }, arrangement: { sort: 'due', order: 'asc' } }
    expect(await ada.list()).toMatchObject([read])
    await ada.change(id, read)
    expect(await stored()).toEqual(words)
  }),
)

test(
  'shows a view that an earlier version saved with a width of its column',
  withViews(async ({ ada }, database) => {
    await ada.save({ arrangement: { columns: ['actor'] } })
    await database.query(`update saved_view set arrangement = '{"columns":["victim.12","actor"]}'`)
    expect(await ada.list()).toMatchObject([{ arrangement: { columns: ['victim', 'actor'] } }])
  }),
)

test(
  'only owners and admins change a shared view; a private view of another user is not found',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const hers = await ada.save({ isShared: true })
    const hidden = await ada.save()
    const theirs = await analyst.save({ isShared: true })

    expect((await readProblem(await analyst.change(hers.id, { name: 'mine' }))).code).toBe('role_not_allowed')
    expect((await readProblem(await analyst.remove(hers.id))).code).toBe('role_not_allowed')
    expect((await readProblem(await analyst.change(hidden.id, { name: 'mine' }))).code).toBe('not_found')
    expect(await (await ada.change(theirs.id, { name: 'better' })).json()).toMatchObject({ name: 'better' })
    expect((await ada.remove(theirs.id)).status).toBe(204)
    expect(await analyst.list()).toMatchObject([{ id: hers.id }])
  }),
)

test(
  'a viewer keeps views, and shares none',
  withViews(async ({ addPerson }) => {
    const viewer = await addPerson('viewer')
    const view = await viewer.save()
    expect((await viewer.change(view.id, { isShared: true })).status).toBe(403)
    expect((await viewer.ask('/bff/views', { body: { ...DRAFT, isShared: true } })).status).toBe(403)
    expect((await viewer.ask(`/bff/views/${view.id}/feed`, { method: 'POST' })).status).toBe(403)
    expect((await viewer.change(view.id, { name: 'renamed' })).status).toBe(200)
  }),
)

test(
  'a user who has become a viewer may not change a shared view, but may unshare it',
  withViews(async ({ addPerson, sessions }, database) => {
    const person = await addPerson('analyst')
    const view = await person.save({ isShared: true })
    await database.query(`update account set role = 'viewer' where role = 'analyst'`)
    sessions.forgetAll()

    expect((await person.change(view.id, { filter: {} })).status).toBe(403)
    expect((await person.change(view.id, { filter: {}, isShared: false })).status).toBe(200)
  }),
)

test(
  'each user has their own default, which is deleted with its view',
  withViews(async ({ ada, addPerson }) => {
    const analyst = await addPerson('analyst')
    const view = await ada.save({ isShared: true })
    const choose = (id: string | null) => analyst.ask('/bff/views/default', { method: 'PUT', body: { id } })

    expect((await choose(view.id)).status).toBe(204)
    expect(await analyst.list()).toMatchObject([{ isDefault: true }])
    expect(await ada.list()).toMatchObject([{ isDefault: false }])
    await choose(null)
    expect(await analyst.list()).toMatchObject([{ isDefault: false }])
    await choose(view.id)
    await ada.remove(view.id)
    expect(await analyst.list()).toEqual([])
    expect((await choose(view.id)).status).toBe(404)
  }),
)

test(
  'refuses what no view can be',
  withViews(async ({ ada }) => {
    for (const draft of [
      { name: ' ' },
      { name: 'x\0' },
      { timeZone: 'Mars/Olympus' },
      { filter: { country: ['Germany'] } },
    ]) {
      expect(
        (await ada.ask('/bff/views', { body: { ...DRAFT, ...draft } })).status,
        JSON.stringify(draft),
      ).toBe(400)
    }
  }),
)

test(
  'records every change, and no secret',
  withViews(async ({ ada }, database) => {
    const view = await ada.save()
    const address = await ada.openFeed(view.id)
    const choose = (id: string | null) => ada.ask('/bff/views/default', { method: 'PUT', body: { id } })
    for (const id of [view.id, view.id, null, null]) await choose(id)
    await ada.remove(view.id)
    const { rows } = await database.query(
      `select action, object_name, before, after from audit_event order by id`,
    )
    expect(rows).toMatchObject([
      { action: 'sign-in' },
      { action: 'view-created', object_name: DRAFT.name },
      { action: 'view-changed', after: '{"hasFeed":true}' },
      { action: 'view-changed', object_name: DRAFT.name, after: '{"isDefault":true}' },
      { action: 'view-changed', object_name: DRAFT.name, after: '{"isDefault":false}' },
      { action: 'view-deleted' },
    ])
    expect(JSON.stringify(rows)).not.toContain(address.slice(-20))
  }),
)

test(
  'an account keeps 200 views at most, and says what to do about it',
  withViews(async ({ ada }, database) => {
    await ada.save()
    await database.query(
      `insert into saved_view (account_id, name, filter, time_zone, is_shared)
       select account_id, name, filter, time_zone, is_shared from saved_view, generate_series(1, 199)`,
    )
    const { code, detail } = await readProblem(await ada.ask('/bff/views', { body: DRAFT }))
    expect({ code, detail }).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/Delete one/) })
    expect(await ada.list()).toHaveLength(200)
  }),
)

test(
  'counts views that are saved at once one by one',
  withViews(async ({ ada }, database) => {
    await ada.save()
    await database.query(
      `insert into saved_view (account_id, name, filter, time_zone, is_shared)
       select account_id, name, filter, time_zone, is_shared from saved_view, generate_series(1, 190)`,
    )
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ada.ask('/bff/views', { body: DRAFT })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9)
    expect(await ada.list()).toHaveLength(200)
  }),
)

test(
  'no view is changed where that cannot be recorded',
  withViews(async ({ ada }, database) => {
    const view = await ada.save()
    await ada.openFeed(view.id)
    await refuseRecords(database)
    const before = await ada.list()
    const answers = [
      ada.ask('/bff/views', { body: DRAFT }),
      ada.change(view.id, { name: 'other' }),
      ada.remove(view.id),
      ada.ask(`/bff/views/${view.id}/feed`, { method: 'DELETE' }),
      ada.ask('/bff/views/default', { method: 'PUT', body: { id: view.id } }),
    ]
    for (const { status } of await Promise.all(answers)) expect(status).toBe(500)
    expect(await ada.list()).toEqual(before)
  }),
)

test(
  'a view that is sent again under its key is saved once, and another body under it is refused',
  withViews(async ({ ada }, database) => {
    const draft = { ...DRAFT, idempotencyKey: crypto.randomUUID() }
    const send = (body: unknown) => ada.ask('/bff/views', { body })
    const answers = await Promise.all([send(draft), send(draft)])
    const first = await answers[0]?.json()
    expect(await answers[1]?.json()).toEqual(first)
    expect(await (await send(draft)).json()).toEqual(first)

    expect((await readProblem(await send({ ...draft, name: 'Another' }))).status).toBe(409)
    expect((await ada.list()).map(({ name }) => name)).toEqual([DRAFT.name])
    const { rowCount } = await database.query(`select from audit_event where action = 'view-created'`)
    expect(rowCount).toBe(1)

    await ada.save()
    expect(await ada.list()).toHaveLength(2)
  }),
)

test(
  'refuses a filter with an unknown member, and stores no view',
  withViews(async ({ ada }) => {
    const filter = { country: ['DE'], contry: ['FR'] }
    const made = await readProblem(await ada.ask('/bff/views', { body: { ...DRAFT, filter } }))
    expect(made).toMatchObject({ status: 400, fields: [{ name: 'filter.contry' }] })
    const { id } = await ada.save()
    const changed = await ada.ask(`/bff/views/${id}`, { method: 'PUT', body: { filter } })
    expect((await readProblem(changed)).fields).toMatchObject([{ name: 'filter.contry' }])
    expect(await ada.list()).toMatchObject([{ id, filter: DRAFT.filter }])
  }),
)
