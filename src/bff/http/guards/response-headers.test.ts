import { expect, test } from 'vitest'
import { commonHeaders, DATA_HEADERS, PAGE_HEADERS } from './response-headers.ts'

test('no answer is taken for another type, tells where a reader came from, or is embedded elsewhere', () => {
  expect(commonHeaders(false)).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('only where it is reached by HTTPS, browsers are told to keep to it', () => {
  expect(commonHeaders(true)).toEqual({
    ...commonHeaders(false),
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
  })
})

test('data is never a page, and nobody keeps it', () => {
  expect(DATA_HEADERS).toEqual({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  })
})

test('a page runs what this server gives it alone, opens no window that can reach it, and uses no device', () => {
  const {
    'content-security-policy': policy = '',
    'permissions-policy': features = '',
    ...others
  } = PAGE_HEADERS
  const directives = policy.split('; ')
  expect(directives).toContain("default-src 'none'")
  expect(directives).toContain("script-src 'self'")
  expect(directives).toContain("require-trusted-types-for 'script'")
  expect(directives).toContain('report-to csp')
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
  expect(features.split(', ')).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'usb=()']))
  expect(features).toMatch(/^([a-z-]+=\(\)(, |$))+$/)
  expect(others).toEqual({
    'cross-origin-opener-policy': 'same-origin',
    'x-dns-prefetch-control': 'off',
    'reporting-endpoints': 'csp="/bff/csp-report"',
  })
})
