import { expect, test } from 'vitest'
import { erasePerson } from '#bff/accounts/audit/erase-person.ts'
import { listActiveUsers } from '#bff/notify/recipient-queries.ts'
import { inboxRoutes } from '#bff/pages/inbox/inbox-routes.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import type { InboxRead } from '#contract/bff/inbox-read.ts'
import {
  MENTIONS_MAX_COUNT,
  type Mention,
  triageChangeSchema,
  triageHistorySchema,
  writeMentions,
} from '#contract/bff/triage.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { triageRoutes } from './triage-routes.ts'

const neverOpened: ReadThreat = () => expect.fail('Every threat of these tests has been listed.')

async function openTeam(database: Database) {
  await nameThreats(database, 'a/b', 'c')
  const routes = [...triageRoutes({ database, readThreat: neverOpened }), ...inboxRoutes({ database })]
  const bff = await createTestBff(database, { routes })
  await bff.signIn()
  const addUser = async (name: string, email: string, role = 'analyst') => {
    const { rows } = await database.query(
      `insert into account (email, name, role, password_hash)
       select $1, $2, $3, password_hash from account where email = $4 returning id::text`,
      [email, name, role, ADMIN.email],
    )
    return String(Object(rows[0]).id)
  }
  const comment = (text: string, mentions: Mention[], more: object = {}) =>
    bff.ask('/bff/triage', { body: { action: 'note', ids: ['a/b'], text, mentions, ...more } })
  return {
    ask: bff.ask,
    comment,
    addUser,
    rename: (id: string, name: string) =>
      database.query('update account set name = $2 where id = $1', [id, name]),
    undoOf: async (answer: Response) => {
      const { undoId } = triageChangeSchema.parse(await answer.json())
      return (await bff.ask('/bff/triage/undo', { body: { undoId } })).status
    },
    readHistory: async () =>
      triageHistorySchema.parse(await (await bff.ask('/bff/triage/a%2Fb/history')).json()).events,
    /** Signs in as somebody else, whose inbox it then reads. */
    openInbox: async (email: string) => {
      const browser = bff.createBrowser()
      await browser.signIn({ ...ADMIN, email })
      return {
        read: async () => inboxSchema.parse(await (await browser.ask('/bff/inbox')).json()).items,
        markRead: async (read: InboxRead) => browser.ask('/bff/inbox/read', { body: read }),
      }
    },
    countNotices: async (id: string) =>
      (await database.query('select from inbox_item where account_id = $1', [id])).rowCount,
    ownId: String(
      Object((await database.query('select id from account where email = $1', [ADMIN.email])).rows[0]).id,
    ),
  }
}

function withTeam(run: (team: Awaited<ReturnType<typeof openTeam>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openTeam(database), database))
}

test(
  'a mentioned viewer gets one notice, which leads to the threat',
  withTeam(async ({ comment, addUser, openInbox }) => {
    const accountId = await addUser('Grace Example', 'grace@corp.example', 'viewer')
    const text = '@Grace Example and once more @Grace Example'
    const twice = [
      { accountId, start: 0, end: 14 },
      { accountId, start: 29, end: 43 },
    ]
    expect((await comment(`  ${text}`, twice)).status).toBe(200)
    expect(await (await openInbox('grace@corp.example')).read()).toMatchObject([
      { kind: 'notice', title: 'ada mentioned you in a comment', detail: text, path: '/threats/a%2Fb' },
    ])
  }),
)

test(
  'a mention follows a new name, and the text says what it was',
  withTeam(async ({ comment, addUser, rename, readHistory }) => {
    const accountId = await addUser('Grace Example', 'grace@corp.example')
    await comment('Ask @Grace Example, not a@b.example', [{ accountId, start: 4, end: 18 }])
    await rename(accountId, 'Grace <b>Hopper</b>')
    const [event] = await readHistory()
    expect(event).toMatchObject({
      text: 'Ask @Grace Example, not a@b.example',
      mentions: [{ start: 4, end: 18, name: 'Grace <b>Hopper</b>' }],
    })
    expect(writeMentions(event?.text ?? '', event?.mentions ?? [])).toEqual({
      text: 'Ask @Grace <b>Hopper</b>, not a@b.example',
      ranges: [{ start: 4, end: 24 }],
    })
  }),
)

test(
  'notifies the mentioned one of two users with the same name, and lists their addresses',
  withTeam(async ({ comment, addUser, countNotices }, database) => {
    const one = await addUser('Grace', 'grace@corp.example')
    const other = await addUser('GRACE', 'grace@branch.example')
    expect((await listActiveUsers(database)).map(({ name, email }) => [name, email])).toEqual([
      ['ada', null],
      ['GRACE', 'grace@branch.example'],
      ['Grace', 'grace@corp.example'],
    ])
    await comment('@Grace', [{ accountId: other, start: 0, end: 6 }])
    expect([await countNotices(one), await countNotices(other)]).toEqual([0, 1])
  }),
)

test(
  'text that only looks like a mention sends no notice',
  withTeam(async ({ comment, addUser, countNotices, readHistory }) => {
    const graceId = await addUser('Grace', 'grace@corp.example')
    await comment('grace@corp.example @Grace @', [])
    expect(await countNotices(graceId)).toBe(0)
    expect((await readHistory())[0]?.mentions).toEqual([])
  }),
)

test(
  'neither the author nor a disabled account is notified',
  withTeam(async ({ comment, addUser, countNotices, ownId, readHistory }, database) => {
    const accountId = await addUser('Otto', 'otto@corp.example')
    await database.query('update account set disabled_at = now() where id = $1', [accountId])
    const answer = await comment('@ada @Otto', [
      { accountId: ownId, start: 0, end: 4 },
      { accountId, start: 5, end: 10 },
    ])
    expect(answer.status).toBe(200)
    expect([await countNotices(ownId), await countNotices(accountId)]).toEqual([0, 0])
    expect((await readHistory())[0]?.mentions).toHaveLength(2)
  }),
)

test(
  'a comment that is sent again under its key notifies once',
  withTeam(async ({ comment, addUser, countNotices }) => {
    const accountId = await addUser('Grace', 'grace@corp.example')
    const send = (key: string) =>
      comment('@Grace', [{ accountId, start: 0, end: 6 }], { idempotencyKey: key, ids: ['a/b', 'c'] })
    const key = crypto.randomUUID()
    await Promise.all([send(key), send(key), send(key)])
    expect(await countNotices(accountId)).toBe(1)
    await send(crypto.randomUUID())
    expect(await countNotices(accountId)).toBe(2)
  }),
)

test(
  'undo takes back a notice that is unread, and leaves one that was read',
  withTeam(async ({ comment, addUser, openInbox, undoOf }) => {
    const accountId = await addUser('Grace', 'grace@corp.example')
    const inbox = await openInbox('grace@corp.example')
    const mentions = [{ accountId, start: 0, end: 6 }]
    const first = await comment('@Grace one', mentions)
    const [item] = await inbox.read()
    await inbox.markRead({ upTo: item?.at ?? '' })
    expect(await undoOf(first)).toBe(200)
    expect((await inbox.read()).map(({ detail }) => detail)).toEqual(['@Grace one'])

    // The time of a notice has milliseconds.
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(item?.at ?? '') + 1)
    const second = await comment('@Grace two', mentions)
    expect(await inbox.read()).toHaveLength(2)
    expect(await undoOf(second)).toBe(200)
    expect((await inbox.read()).map(({ detail }) => detail)).toEqual(['@Grace one'])
  }),
)

test(
  'a comment on several cases leads to all of them',
  withTeam(async ({ comment, addUser, openInbox }, database) => {
    const accountId = await addUser('Grace', 'grace@corp.example')
    const inbox = await openInbox('grace@corp.example')
    const mentions = [{ accountId, start: 0, end: 6 }]
    const newest = async () => {
      const [item] = await inbox.read()
      return [item?.title, item?.path]
    }
    await comment('@Grace both', mentions, { ids: ['a/b', 'c'] })
    expect(await newest()).toEqual(['ada mentioned you in a comment on 2 cases', '/threats?q=id%3Aa%2Fb%2Cc'])

    await database.query(
      `with begun as (insert into victim_case default values returning id)
       insert into case_claim (threat_id, case_id, own_id) select unnest(array['a/b', 'c']), id, id from begun`,
    )
    await comment('@Grace one case', mentions, { ids: ['c', 'a/b'] })
    expect(await newest()).toEqual(['ada mentioned you in a comment', '/threats/c'])

    const long = Array.from({ length: 5 }, (_, at) => `${at}${'x'.repeat(500)}`)
    await nameThreats(database, ...long)
    await comment('@Grace many', mentions, { ids: long })
    expect(await newest()).toEqual(['ada mentioned you in a comment on 5 cases', '/threats?q=has%3Acomment'])
  }),
)

test(
  'opening a notice marks only that one as read, and none of another user',
  withTeam(async ({ comment, addUser, openInbox, undoOf }) => {
    const accountId = await addUser('Grace', 'grace@corp.example')
    const inbox = await openInbox('grace@corp.example')
    await addUser('Zoe', 'zoe@corp.example')
    const other = await openInbox('zoe@corp.example')
    const mentions = [{ accountId, start: 0, end: 6 }]
    const first = await comment('@Grace one', mentions)
    await comment('@Grace two', mentions)
    const states = async () => (await inbox.read()).map(({ detail, isRead }) => [detail, isRead])
    const ids = (await inbox.read()).flatMap(({ id, detail }) => (detail === '@Grace one' ? id : []))
    expect((await other.markRead({ ids })).status).toBe(200)
    expect(await states()).toEqual([
      ['@Grace two', false],
      ['@Grace one', false],
    ])
    expect(await (await inbox.markRead({ ids })).json()).toMatchObject({ unread: 1 })
    expect(await undoOf(first)).toBe(200)
    expect(await states()).toEqual([
      ['@Grace two', false],
      ['@Grace one', true],
    ])
    expect((await inbox.markRead({ ids: [] })).status).toBe(400)
  }),
)

test(
  'fifty people can be mentioned, and no more',
  withTeam(async ({ comment, addUser, countNotices }) => {
    const mentions: Mention[] = []
    let text = ''
    for (let at = 0; at <= MENTIONS_MAX_COUNT; at += 1) {
      const name = `Name ${at}`
      const accountId = await addUser(name, `u${at}@corp.example`)
      mentions.push({ accountId, start: text.length, end: text.length + name.length + 1 })
      text += `@${name} `
    }
    expect((await readProblem(await comment(text, mentions))).fields).toMatchObject([{ name: 'mentions' }])
    expect((await comment(text, mentions.slice(0, -1))).status).toBe(200)
    const counts = await Promise.all(mentions.map(({ accountId }) => countNotices(accountId)))
    expect(counts).toEqual([...Array(MENTIONS_MAX_COUNT).fill(1), 0])
  }),
)

test(
  'refuses positions that are no mention, and unknown accounts',
  withTeam(async ({ comment, addUser, readHistory }) => {
    const accountId = await addUser('Grace', 'grace@corp.example')
    const wrong = [
      [{ accountId, start: 1, end: 6 }],
      [{ accountId, start: 0, end: 1 }],
      [{ accountId, start: 0, end: 60 }],
      [{ accountId, start: -1, end: 6 }],
      [
        { accountId, start: 0, end: 6 },
        { accountId, start: 0, end: 6 },
      ],
    ]
    for (const mentions of wrong) expect((await comment('@Grace!', mentions)).status).toBe(400)
    const nobody = { accountId: crypto.randomUUID(), start: 0, end: 6 }
    expect(await readProblem(await comment('@Grace!', [nobody]))).toMatchObject({
      code: 'bad_request',
      title: 'A mentioned user does not exist',
    })
    expect(await readHistory()).toEqual([])
  }),
)

test(
  'an account is the same one in capital letters, and is erased with its name',
  withTeam(async ({ comment, addUser, countNotices, readHistory }, database) => {
    const id = await addUser('Grace Example', 'grace@corp.example')
    const twice = [
      { accountId: id, start: 0, end: 14 },
      { accountId: id.toUpperCase(), start: 15, end: 29 },
    ]
    expect((await comment('@Grace Example @Grace Example', twice)).status).toBe(200)
    expect(await countNotices(id)).toBe(1)
    await database.query('update account set disabled_at = now() where id = $1', [id])
    await erasePerson(database, id, ['a secret'])
    expect((await readHistory())[0]?.text).toBe('@erased person @erased person')
  }),
)

test(
  'whoever is made the owner of cases by somebody else gets one notice, until that is undone',
  withTeam(async ({ ask, addUser, openInbox, undoOf, countNotices, ownId }) => {
    const graceId = await addUser('Grace Example', 'grace@corp.example')
    const grace = await openInbox('grace@corp.example')
    const assign = (ownerId: string, ids: string[]) =>
      ask('/bff/triage', { body: { action: 'assign', ids, ownerId } })
    await assign(graceId, ['a/b'])
    await assign(graceId, ['a/b'])
    expect(await grace.read()).toMatchObject([
      { kind: 'notice', title: 'ada assigned a case to you', path: '/threats/a%2Fb' },
    ])
    expect((await assign(ownId, ['a/b', 'c'])).status).toBe(200)
    expect(await countNotices(ownId)).toBe(0)
    const both = await assign(graceId, ['a/b', 'c'])
    expect((await grace.read()).at(0)).toMatchObject({
      title: 'ada assigned 2 cases to you',
      path: expect.stringContaining('/threats?q='),
    })
    expect(await undoOf(both)).toBe(200)
    expect(await grace.read()).toHaveLength(1)
  }),
)
