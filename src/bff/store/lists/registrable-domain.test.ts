import { expect, test } from 'vitest'
import { isPublicSuffix, registrableDomain } from './registrable-domain.ts'

test.each([
  ['mail.okapi.co.uk', 'okapi.co.uk'],
  ['https://okapi.github.io/about', 'okapi.github.io'],
  ['bmw.de', 'bmw.de'],
  ['www.okapi.example', 'okapi.example'],
  ['co.uk', null],
  ['http://com.br/', null],
  ['github.io', null],
  ['okapi', null],
])('reads the registered domain of %s: %s', (text, domain) => {
  expect(registrableDomain(text)).toBe(domain)
})

test.each([
  ['co.uk', true],
  ['com.br', true],
  ['github.io', true],
  ['okapi.github.io', false],
  ['bmw.de', false],
  ['okapi.example', false],
])('knows public suffixes: %s %s', (domain, expected) => {
  expect(isPublicSuffix(domain)).toBe(expected)
})
