import { expect, test } from 'vitest'
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
