import { expect, test } from 'vitest'
import { nameListsSchema } from '#contract/bff/list.ts'
import { entry, withLists } from '#test/support/lists/open-lists.ts'

test(
  'the audit record names no private list and none of its entries, also while it becomes shared',
  withLists(async ({ ada, match }, database) => {
    const { id } = await ada.create({ name: 'Project Heron', isShared: false })
    await match()
    const [okapi] = (await ada.entries(id)).entries
    const path = `/bff/lists/${id}`
    const pair = { threatId: 'by-domain', entryId: okapi?.id, decision: 'rejected' }
    expect((await ada.decide(id, pair)).status).toBe(204)
    const changed = entry('Okapi AG', { note: 'Heron' })
    expect((await ada.ask(`${path}/entries/${okapi?.id}`, { method: 'PUT', body: changed })).status).toBe(204)
    expect((await ada.ask(`${path}/entries/${okapi?.id}`, { method: 'DELETE' })).status).toBe(204)
    const share = (body: object) => ada.ask(path, { method: 'PUT', body })
    expect((await share({ name: 'Vendors', isShared: true })).status).toBe(200)
    const { rows } = await database.query(
      'select action, object_name as name, before, after from audit_event where object = $1 order by id',
      [id],
    )
    const hidden = expect.stringMatching(/^a private list of .…@example\.com$/)
    expect(rows.map((row) => Object(row).name)).toEqual([hidden, hidden, hidden, hidden, 'Vendors'])
    expect(JSON.stringify(rows)).not.toMatch(/Heron|Okapi/)
    expect((await share({ name: 'Partners' })).status).toBe(200)
    expect((await ada.ask(path, { method: 'DELETE' })).status).toBe(204)
    const named = await database.query(
      `select from audit_event where object = $1 and object_name = 'Partners' and before ~ 'Vendors|Partners'`,
      [id],
    )
    expect(named.rowCount).toBe(2)
  }),
)

test(
  'an admin sees that an inactive user has a private list, not what is in it, and deletes it',
  withLists(async ({ ada, addPerson }, database) => {
    const analyst = await addPerson('analyst')
    const { id } = await analyst.create({ name: 'Project Heron', isShared: false })
    const other = await addPerson('viewer')
    const read = async (who: typeof ada) =>
      nameListsSchema.parse(await (await who.ask('/bff/lists')).json()).inactive
    const remove = (who: typeof ada) => who.ask(`/bff/lists/${id}`, { method: 'DELETE' })
    expect(await read(ada)).toEqual([])
    expect((await remove(ada)).status).toBe(404)

    for (const change of [`role = 'viewer'`, `role = 'analyst', disabled_at = now()`]) {
      await database.query(`update account set ${change} where email = 'analyst@example.com'`)
      const updatedAt = expect.any(String)
      expect(await read(ada)).toEqual([{ id, ownerName: 'analyst', entryCount: 4, updatedAt }])
    }
    expect(await read(other)).toBeUndefined()
    expect((await remove(other)).status).toBe(403)
    for (const path of ['', '/entries', '/matches'])
      expect((await ada.ask(`/bff/lists/${id}${path}`)).status, path).toBe(404)
    expect((await remove(ada)).status).toBe(204)
    expect((await database.query('select from list_entry')).rowCount).toBe(0)
    const { rows } = await database.query(
      `select object_name as name, before from audit_event where action = 'list-deleted'`,
    )
    expect(rows).toMatchObject([{ name: 'a private list of a…@example.com' }])
    expect(JSON.stringify(rows)).not.toMatch(/Heron|Okapi/)
  }),
)
