import { expect, test } from 'vitest'
import { NASTY_STRINGS } from '../../../test/support/app/nasty-strings.ts'
import { defang } from './defang.ts'

test.for([
  ['https://evil.example/a.php', 'hxxps[:]//evil[.]example/a[.]php'],
  ['HTTP://EVIL.EXAMPLE', 'HXXP[:]//EVIL[.]EXAMPLE'],
  ['evil.example', 'evil[.]example'],
  ['ceo@acme.example', 'ceo[@]acme[.]example'],
  ['mailto:ceo@acme.example', 'mailto[:]ceo[@]acme[.]example'],
  ['192.0.2.7:8080', '192[.]0[.]2[.]7:8080'],
  ['2001:db8::1', '2001[:]db8[:][:]1'],
  ['ftp://files.example', 'ftp[:]//files[.]example'],
  ['http:\\\\evil.example', 'hxxp[:]\\\\evil[.]example'],
  ['javascript:alert(1)', 'javascript[:]alert(1)'],
  ['evil。example', 'evil[。]example'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['', ''],
])('turns %s into %s', ([address = '', defanged]) => {
  expect(defang(address)).toBe(defanged)
})

test('changes nothing the second time, and leaves nothing to press', () => {
  for (const text of Object.values(NASTY_STRINGS)) {
    const defanged = defang(text)
    expect(defang(defanged)).toBe(defanged)
    expect(defanged).not.toMatch(/https?:|:\/\/|[^[]\.[^\]]|[^[]@[^\]]/i)
  }
})
