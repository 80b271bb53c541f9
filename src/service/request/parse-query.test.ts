import { expect, test } from 'vitest'
import { feedQuerySchema } from '#contract/upstream/earlier/feed.ts'
import { v1ActorsQuerySchema } from '#contract/upstream/v1/threat-actor.ts'
import { v1ThreatsQuerySchema } from '#contract/upstream/v1/threat-list.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { parseQuery, refuseParameters } from './parse-query.ts'

const HOST = 'https://service.example'

test('has the defaults of the reference', () => {
  expect(parseQuery(`${HOST}/api/feed`, feedQuerySchema)).toEqual({ limit: 20, offset: 0 })
  expect(parseQuery(`${HOST}/api/v1/threats`, v1ThreatsQuerySchema)).toEqual({ limit: 50 })
  expect(parseQuery(`${HOST}/api/v1/threat-actors`, v1ActorsQuerySchema)).toEqual({ limit: 50 })
})

test('reads every parameter of the feed', () => {
  const query =
    'limit=100&offset=40&category=Data%20Breach&country=de&date_from=2026-01-31&date_to=2026-01-31&search=%22lock+bit%22+%E6%A0%AA#x=1'
  expect(parseQuery(`${HOST}/api/feed?${query}`, feedQuerySchema)).toEqual({
    limit: 100,
    offset: 40,
    category: 'Data Breach',
    country: 'DE',
    date_from: '2026-01-31',
    date_to: '2026-01-31',
    search: '"lock bit" 株',
  })
})

test('reads every parameter of v1 threats', () => {
  const query = 'limit=1&cursor=abc.def&category=DDoS&country=germany&since=2026-01-31T09:30:00%2B02:00&'
  expect(parseQuery(`${HOST}/api/v1/threats?${query}`, v1ThreatsQuerySchema)).toEqual({
    limit: 1,
    cursor: 'abc.def',
    category: 'DDoS',
    country: 'germany',
    since: '2026-01-31T09:30:00+02:00',
  })
})

const LIMIT = 'Invalid parameter "limit": must be a whole number from 1 to 100'
const OFFSET = 'Invalid parameter "offset": must be a whole number from 0 to 1000000000'
const COUNTRY = 'Invalid parameter "country": must be an ISO 3166-1 alpha-2 code such as DE'
const DATE_FROM = 'Invalid parameter "date_from": must be a date such as 2026-01-31'
const PERMITTED = 'permitted: limit, offset, category, country, date_from, date_to, search, include'

test.each([
  ['limit=0', LIMIT],
  ['limit=101', LIMIT],
  ['limit=-1', LIMIT],
  ['limit=1.5', LIMIT],
  ['limit=1e1', LIMIT],
  ['limit=0x10', LIMIT],
  ['limit=%2010', LIMIT],
  ['limit=', LIMIT],
  ['limit', LIMIT],
  ['limit=99999999999999999999', LIMIT],
  ['offset=-1', OFFSET],
  ['offset=x', OFFSET],
  ['offset=1000000001', OFFSET],
  ['category=', 'Invalid parameter "category": must not be empty'],
  ['country=DEU', COUNTRY],
  ['country=Germany', COUNTRY],
  ['date_from=2026-02-30', DATE_FROM],
  ['date_from=31.01.2026', DATE_FROM],
  ['date_from=2026-01-31T00:00:00Z', DATE_FROM],
  ['date_from=0000-01-01', DATE_FROM],
  ['date_from=2026-02-01&date_to=2026-01-31', 'Invalid parameter "date_from": must not be after date_to'],
  [`search=${'x'.repeat(513)}`, 'Invalid parameter "search": must be 512 characters or fewer'],
  ['limit=1&limit=2', 'Invalid parameter "limit": must not be repeated'],
  ['Limit=1', `Unknown parameter "Limit"; ${PERMITTED}`],
  ['since=2026-01-31', `Unknown parameter "since"; ${PERMITTED}`],
  ['__proto__=1', `Unknown parameter "__proto__"; ${PERMITTED}`],
  ['=1', `Unknown parameter ""; ${PERMITTED}`],
  ['search=%', 'Parameters must be percent-encoded UTF-8 without NUL'],
  ['search=%C3%28', 'Parameters must be percent-encoded UTF-8 without NUL'],
  ['search=%00', 'Parameters must be percent-encoded UTF-8 without NUL'],
  [Array.from({ length: 33 }, (_, index) => `p${index}=1`).join('&'), 'Too many parameters'],
])('refuses %s', (query, message) => {
  expect(refusalOf(() => parseQuery(`${HOST}/api/feed?${query}`, feedQuerySchema))).toBe(message)
})

test.each(['2026-1-1', 'yesterday', '2026-01-31T25:00:00Z', '2026-01-31 09:30', '1769850000', '0001-01-01'])(
  'refuses since=%s',
  (since) => {
    const url = `${HOST}/api/v1/threats?since=${encodeURIComponent(since)}`
    expect(refusalOf(() => parseQuery(url, v1ThreatsQuerySchema))).toBe(
      'Invalid parameter "since": must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z',
    )
  },
)

test('names several mistakes at once', () => {
  expect(refusalOf(() => parseQuery(`${HOST}/api/feed?limit=0&offset=x`, feedQuerySchema))).toBe(
    `${LIMIT}. ${OFFSET}`,
  )
})

test('refuses any parameter where a route takes none', () => {
  expect(refusalOf(() => refuseParameters(`${HOST}/api/alerts?limit=1`))).toBe(
    'Unknown parameter "limit"; permitted: none',
  )
  expect(() => refuseParameters(`${HOST}/api/alerts?`)).not.toThrow()
})

function refusalOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) return error.message
    throw error
  }
  return 'accepted'
}
