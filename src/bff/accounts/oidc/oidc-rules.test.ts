import { describe, expect, test } from 'vitest'
import {
  type OidcRules,
  readClaim,
  readGrantedRole,
  refuseForeignDomain,
  unverified,
  verifiedEmail,
  withoutRole,
} from './oidc-rules.ts'

/** A person as the provider knows them. */
function arrivalOf(
  person: { email?: string; email_verified?: boolean },
  claims: Record<string, unknown> = {},
) {
  return { person: { iss: 'https://login.example', sub: 'p', ...person }, claims, idToken: '' }
}

test.each([
  ['groups', { groups: ['a'] }, ['a']],
  ['groups', { '': { groups: ['a'] } }, undefined],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['resource_access.my.app.roles', { resource_access: { 'my.app': { roles: ['a'] } } }, ['a']],
  ['https://corp.example/roles', { 'https://corp.example/roles': ['a'] }, ['a']],
  ['realm_access.roles', { realm_access: null }, undefined],
  ['groups.length', { groups: 'abc' }, undefined],
  ['constructor.name', {}, undefined],
  ['__proto__', {}, undefined],
])('finds the claim %s', (path, claims, found) => {
  expect(readClaim(claims, path.split('.'))).toEqual(found)
})

test.each([
  ['one name', 'soc', 'analyst'],
  ['a list', ['soc', 'admins'], 'admin'],
  ['another way of writing it', 'SOC', 'none'],
  ['several in one text', 'soc admins', 'none'],
  ['an object', { soc: true }, 'none'],
  ['nothing', undefined, 'none'],
])('reads a role from %s', (_, groups, role) => {
  const arrival = arrivalOf({}, { groups })
  const pairs = [
    { value: 'admins', role: 'admin' },
    { value: 'soc', role: 'analyst' },
  ] as const
  const read = (roles?: { claim: string; pairs: typeof pairs }) => readGrantedRole(arrival, { roles })
  expect(read({ claim: 'groups', pairs })).toBe(role)
  expect(read()).toBe('kept')
})

test('grants the highest of several roles, from a nested claim and rules in any order', () => {
  const arrival = arrivalOf({}, { realm_access: { roles: ['soc', 'readers', 'unknown'] } })
  const pairs = [
    { value: 'soc', role: 'analyst' },
    { value: 'admins', role: 'admin' },
    { value: 'readers', role: 'viewer' },
  ] as const
  expect(readGrantedRole(arrival, { roles: { claim: 'realm_access.roles', pairs } })).toBe('analyst')
})

describe('an email address is verified', () => {
  const email = 'ada@corp.example'
  test.each<[string, boolean | undefined, OidcRules, boolean]>([
    ['where the provider says so', true, {}, true],
    ['not where it says nothing', undefined, {}, false],
    ['where it says nothing and is trusted', undefined, { trustsEmail: true }, true],
    ['never where it says that it is not', false, { trustsEmail: true }, false],
  ])('%s', (_, isVerified, rules, isProved) => {
    const arrival = arrivalOf({ email, ...(isVerified !== undefined && { email_verified: isVerified }) })
    expect(verifiedEmail(arrival, rules)).toBe(isProved ? email : null)
  })

  test('not if it is missing', () => {
    expect(verifiedEmail(arrivalOf({ email_verified: true }), {})).toBeNull()
  })
})

describe('a sign-in by mail domain', () => {
  const rules = { allowedDomains: ['corp.example', 'sub.corp.example'] }
  const enter = (email: string | undefined, some: OidcRules = rules, isVerified = true) =>
    refuseForeignDomain(arrivalOf({ ...(email && { email }), email_verified: isVerified }), some)
  const refusal = (detail: RegExp) =>
    expect.objectContaining({
      problem: expect.objectContaining({ code: 'sign_in_failed', detail: expect.stringMatching(detail) }),
    })

  test.each(['ada@corp.example', 'Ada@CORP.example', 'ada@sub.corp.example'])('admits %s', (email) => {
    expect(() => enter(email)).not.toThrow()
  })

  test.each([
    'ada@evil.example',
    'ada@corp.example@evil.example',
    'ada@evil@corp.example',
    'corp.example',
    'ada@',
  ])('refuses %s', (email) => {
    expect(() => enter(email)).toThrow(refusal(/^Addresses of your mail domain may not sign in here\. /))
  })

  test('admits every address without a rule, and none with an empty list', () => {
    expect(() => enter('ada@evil.example', {})).not.toThrow()
    expect(() => enter(undefined, {})).not.toThrow()
    expect(() => enter('ada@corp.example', { allowedDomains: [] })).toThrow(refusal(/mail domain/))
  })

  test('refuses a person without a verified address', () => {
    const notConfirmed = refusal(/has not confirmed your email address/)
    expect(() => enter('ada@corp.example', rules, false)).toThrow(notConfirmed)
    expect(() => enter(undefined)).toThrow(notConfirmed)
  })
})

test('a refusal names what the person should request', () => {
  expect(unverified().problem.detail).toMatch(
    /^Your identity provider has not confirmed your email address\. Ask/,
  )
  expect(withoutRole({ roles: { claim: 'realm_access.roles', pairs: [] } }).problem).toMatchObject({
    code: 'sign_in_failed',
    detail:
      'You are in no group that may use this Lantern (claim realm_access.roles). Ask whoever runs your identity provider to add you to one, then sign in again.',
  })
})
