import { expect, test } from 'vitest'
import { describeLookAlike, findLookAlikes } from './look-alikes.ts'

const wordsOf = (text: string) => findLookAlikes(text).map(describeLookAlike)

test.each([
  ['\u0430pple.com', 'looks like apple.com, but \u0430 is Cyrillic'],
  ['see https://\u0430pple.com/login', 'looks like apple.com, but \u0430 is Cyrillic'],
  ['\u0430pple[.]com', 'looks like apple[.]com, but \u0430 is Cyrillic'],
  ['ceo@\u0430pple.com', 'looks like apple.com, but \u0430 is Cyrillic'],
  ['\u0430\u0441\u0435.com', 'looks like ace.com, but \u0430, \u0441, \u0435 are Cyrillic'],
  ['g\u03bfogle.com', 'looks like google.com, but \u03bf is Greek'],
  ['\u043f\u043e\u0447ta.com', 'mixes letters: Latin and Cyrillic'],
  [
    'login.\u0440\u0430\u0443\u0440\u0430l.co.uk',
    'looks like login.paypal.co.uk, but \u0440, \u0430, \u0443 are Cyrillic',
  ],
])('says of %s that it is not what it looks like', (text, words) => {
  expect(wordsOf(text)).toEqual([words])
})

test.each([
  'apple.com',
  'почта.рф',
  'почта.com',
  'Роскомнадзор.ru взломан',
  'асе.рф',
  'конец.Потом начало',
  'Сорос.LockBit',
  'example.みんな',
  'ソニーsony.co.jp',
  'شركة-abc.com',
  'münchen.de, żółw.pl, ışık.com.tr',
  'ελλάδα.gr',
  'Node.js 1.2.3',
  'Банк Apple',
  'xn--80ak6aa92e.com',
])('leaves %s alone', (text) => {
  expect(wordsOf(text)).toEqual([])
})

// Work that grows with the square of the length takes minutes here, which the test's timeout ends.
test('reads a long text in linear time', { timeout: 60_000 }, () => {
  expect(findLookAlikes(`${'а.'.repeat(400_000)}${'-'.repeat(400_000)}`)).toHaveLength(0)
})
