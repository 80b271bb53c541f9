import { expect, test } from 'vitest'
import { ruleSeverity } from './severity-rule.ts'

test('follows the category, one step higher where people depend on the sector', () => {
  expect(ruleSeverity('Ransomware', [])).toBe('high')
  expect(ruleSeverity('Ransomware', ['Retail', 'Health'])).toBe('critical')
  expect(ruleSeverity('initial access', ['Media'])).toBe('medium')
  expect(ruleSeverity('DDoS', ['Government / ministries'])).toBe('medium')
  expect(ruleSeverity('A category nobody has seen', [])).toBe('low')
})
