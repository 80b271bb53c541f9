import { expect, test } from 'vitest'
import { alertProfileSchema, alertProfilesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

const PROFESSIONAL = { earlierPlan: 'professional' } as const
const KNOWN = 'Ransomware, Data Breach, Initial Access, DDoS, Other'

test(
  'creates a profile with all its fields',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const body = {
      name: 'Our brands',
      keywords: ['acme', '"acme corp"', 'アクメ'],
      categories: ['Ransomware', 'DDoS'],
      notifications: {
        email: ['soc@acme.example', 'ciso@acme.example'],
        slack: 'https://hooks.slack.example/services/T0/B0/x',
        teams: 'https://acme.webhook.example/teams',
      },
    }
    const answer = await ask('/api/alerts', { body })
    expect(answer.status).toBe(201)
    const profile = alertProfileSchema.parse(await answer.json())
    expect(profile).toEqual({
      ...body,
      id: expect.stringMatching(/^alp_[0-9a-f]{32}$/),
      created_at: profile.updated_at,
      updated_at: expect.stringMatching(/Z$/),
      triggered_count: 0,
    })
  }),
)

test(
  'stores a mailbox once, in its first spelling',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const email = ['Soc@acme.example', 'ciso@acme.example', 'soc@ACME.example']
    await ask('/api/alerts', { body: { name: 'Brands', keywords: ['acme'], notifications: { email } } })
    const { alert_profiles: profiles } = alertProfilesSchema.parse(await (await ask('/api/alerts')).json())
    expect(profiles.map(({ notifications }) => notifications.email)).toEqual([
      ['Soc@acme.example', 'ciso@acme.example'],
    ])
  }),
)

test(
  'answers what was omitted as null or an empty list',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const bare = { name: ' Bare ', keywords: ['acme'] }
    const answer = await ask('/api/alerts', { body: bare })
    expect(await answer.json()).toMatchObject({
      name: 'Bare',
      categories: [],
      notifications: { email: null, slack: null, teams: null },
    })
    const partial = await ask('/api/alerts', {
      body: { ...bare, notifications: { email: ['soc@acme.example'], slack: null } },
    })
    expect(await partial.json()).toMatchObject({
      notifications: { email: ['soc@acme.example'], slack: null, teams: null },
    })
  }),
)

test(
  'lists the profiles of the account, newest first, and of no other account',
  withDatabase('service', async (database) => {
    const acme = await createTestService(database, PROFESSIONAL)
    const colleague = await createTestService(database, PROFESSIONAL)
    const stranger = await createTestService(database, { ...PROFESSIONAL, account: 'globex' })
    for (const name of ['one', 'two']) await acme.ask('/api/alerts', { body: { name, keywords: ['acme'] } })

    const listed = async ({ ask }: typeof acme) => {
      const answer = await ask('/api/alerts')
      return alertProfilesSchema.parse(await answer.json()).alert_profiles.map(({ name }) => name)
    }
    expect(await listed(acme)).toEqual(['two', 'one'])
    expect(await listed(colleague)).toEqual(['two', 'one'])
    expect(await listed(stranger)).toEqual([])
  }),
)

const GOOD = { name: 'Brands', keywords: ['acme'] }
const MISTAKES: [body: unknown, message: string][] = [
  [{}, 'Missing field "name": must be text. Missing field "keywords": must be a list'],
  [{ ...GOOD, name: '  ' }, 'Invalid field "name": must not be empty'],
  [{ ...GOOD, name: 7 }, 'Invalid field "name": must be text'],
  [{ ...GOOD, name: 'x'.repeat(201) }, 'Invalid field "name": must be 200 characters or fewer'],
  [{ ...GOOD, name: 'a\0b' }, 'Invalid field "name": must not hold NUL or half a character'],
  [{ ...GOOD, keywords: 'acme' }, 'Invalid field "keywords": must be a list'],
  [{ ...GOOD, keywords: [] }, 'Invalid field "keywords": must hold at least one keyword'],
  [{ ...GOOD, keywords: ['acme', ''] }, 'Invalid field "keywords[1]": must not be empty'],
  [{ ...GOOD, keywords: ['acme', '***'] }, 'Invalid field "keywords[1]": must hold a letter or a digit'],
  [{ ...GOOD, keywords: ['\ud800'] }, 'Invalid field "keywords[0]": must not hold NUL or half a character'],
  [
    { ...GOOD, keywords: Array.from({ length: 101 }, () => 'a') },
    'Invalid field "keywords": must hold 100 values or fewer',
  ],
  [{ ...GOOD, categories: ['Nope'] }, `Invalid category in "categories"; permitted: ${KNOWN}`],
  [{ ...GOOD, categories: ['ransomware'] }, `Invalid category in "categories"; permitted: ${KNOWN}`],
  [{ ...GOOD, notifications: 'soc@acme.example' }, 'Invalid field "notifications": must be an object'],
  [
    { ...GOOD, notifications: { email: ['soc@acme'] } },
    'Invalid field "notifications.email[0]": must be an e-mail address',
  ],
  [
    { ...GOOD, notifications: { email: ['a@b.example\r\nBcc: c@d.example'] } },
    'Invalid field "notifications.email[0]": must be an e-mail address',
  ],
  ...['http://hooks.example/x', 'https://user:pw@hooks.example/x', 'https://', 'javascript:alert(1)', ''].map(
    (slack): [object, string] => [
      { ...GOOD, notifications: { slack } },
      'Invalid field "notifications.slack": must be an https URL without a user name or a password',
    ],
  ),
  [
    { ...GOOD, triggered_count: 9 },
    'Unknown field "triggered_count"; permitted: name, keywords, categories, notifications',
  ],
  [{ ...GOOD, notifications: { discord: 'x' } }, 'Unknown field "notifications.discord"'],
  ['{"name":', 'Malformed JSON body'],
  ['', 'Malformed JSON body'],
  ['[]', 'The body must be a JSON object'],
  ['null', 'The body must be a JSON object'],
]
test(
  'refuses a body that is missing, malformed or out of bounds, and says what is permitted',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    for (const [body, message] of MISTAKES) {
      const answer = await ask('/api/alerts', { body })
      expect.soft(answer.status, message).toBe(400)
      expect.soft(await readError(answer)).toBe(message)
    }
    expect((await database.query('select from alert_profile')).rowCount).toBe(0)
  }),
)

test(
  'refuses JSON that is not UTF-8',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const bytes = new Blob(['{"name":"', new Uint8Array([0xff]), '","keywords":["a"]}'])
    const answer = await ask('/api/alerts', { body: bytes })
    expect(answer.status).toBe(400)
    expect(await readError(answer)).toBe('Malformed JSON body')
  }),
)

test(
  'permits categories that records brought along',
  withDatabase('service', async (database) => {
    await insertThreats(database, [makeThreat({ category: 'Defacement' })])
    const { ask } = await createTestService(database, PROFESSIONAL)
    expect((await ask('/api/alerts', { body: { ...GOOD, categories: ['Defacement'] } })).status).toBe(201)
    const refused = await ask('/api/alerts', { body: { ...GOOD, categories: ['Nope'] } })
    expect(await readError(refused)).toBe(`Invalid category in "categories"; permitted: ${KNOWN}, Defacement`)
  }),
)

test(
  'answers 415 to what is not JSON',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
    ]
    for (const type of types) {
      const answer = await ask('/api/alerts', { body: GOOD, headers: { 'content-type': type } })
      expect.soft(answer.status, type).toBe(415)
      expect.soft(await readError(answer)).toContain('application/json')
    }
  }),
)

test(
  'accepts JSON in UTF-8, declared or not, and no other charset',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const statuses = {
      'Application/JSON; charset=utf-8': 201,
      'application/json ;charset="UTF-8"': 201,
      'application/json; profile=x; charset=utf-8; ': 201,
      'application/json; charset=iso-8859-1': 415,
      'application/json; charset=utf-16': 415,
      'application/json; charset=utf-8; charset=latin1': 415,
    }
    for (const [type, status] of Object.entries(statuses)) {
      const answer = await ask('/api/alerts', { body: GOOD, headers: { 'content-type': type } })
      expect.soft(answer.status, type).toBe(status)
    }
  }),
)

test(
  'answers 415 to a compressed body',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, PROFESSIONAL)
    const answer = await ask('/api/alerts', { body: GOOD, headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(415)
    expect(answer.headers.get('accept')).toBe('application/json')
  }),
)

test(
  'answers 413 to more than 64 KiB, with a declared length or without',
  withDatabase('service', async (database) => {
    const { ask, app, token } = await createTestService(database, PROFESSIONAL)
    const content = JSON.stringify({ ...GOOD, padding: 'x'.repeat(65_536) })
    const declared = await ask('/api/alerts', {
      body: content,
      headers: { 'content-length': String(content.length) },
    })
    const streamed = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new Blob([content]).stream(),
      duplex: 'half',
    }
    const undeclared = await app.request('/api/alerts', streamed)
    for (const answer of [declared, undeclared]) {
      expect(answer.status).toBe(413)
      expect(await readError(answer)).toBe('The body must be 65536 bytes or fewer')
    }
  }),
)
