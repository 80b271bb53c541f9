import { expect, test } from 'vitest'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { defang, defangProse, defangText } from './defang.ts'

test.for([
  ['https://evil.example/a.php', 'hxxps[:]//evil[.]example/a.php'],
  ['https:/evil.example/a.php?b=c.d', 'hxxps[:]/evil[.]example/a.php?b=c.d'],
  ['https://a:b.c@evil.example:8443/../d.e', 'hxxps[:]//a:b[.]c[@]evil[.]example:8443/../d.e'],
  ['https://a.example/https://b.example/c.d', 'hxxps[:]//a[.]example/hxxps[:]//b[.]example/c.d'],
  ['https://a.example/?to=evil.onion', 'hxxps[:]//a[.]example/?to=evil[.]onion'],
  ['a.example b.example', 'a[.]example b[.]example'],
  ['HTTP://EVIL.EXAMPLE', 'HXXP[:]//EVIL[.]EXAMPLE'],
  ['evil.example', 'evil[.]example'],
  ['ceo@acme.example', 'ceo[@]acme[.]example'],
  ['mailto:ceo@acme.example', 'mailto[:]ceo[@]acme[.]example'],
  ['192.0.2.7:8080', '192[.]0[.]2[.]7:8080'],
  ['2001:db8::1', '2001[:]db8[:][:]1'],
  ['fe80::1%eth0', 'fe80[:][:]1%eth0'],
  ['::ffff:192.0.2.77', '[:][:]ffff[:]192[.]0[.]2[.]77'],
  [' 2001:db8::1 ', ' 2001[:]db8[:][:]1 '],
  ['http:evil.example', 'hxxp[:]evil[.]example'],
  ['httpx://evil.example', 'httpx[:]//evil[.]example'],
  ['at 10:20:30', 'at 10:20:30'],
  ['10:20:30 in the log', '10:20:30 in the log'],
  ['ftp://files.example', 'ftp[:]//files[.]example'],
  ['http:\\\\evil.example', 'hxxp[:]\\\\evil[.]example'],
  ['javascript:alert(1)', 'javascript[:]alert(1)'],
  ['evil。example', 'evil[。]example'],
  ['d41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['', ''],
])('turns %s into %s', ([address = '', defanged]) => {
  expect(defang(address)).toBe(defanged)
})

test('is idempotent, and leaves no live address', () => {
  for (const text of Object.values(NASTY_STRINGS)) {
    const defanged = defang(text)
    expect(defang(defanged)).toBe(defanged)
    expect(defanged).not.toMatch(/https?:|:\/\/|[^[]@[^\]]|[^[]\.(example|onion)/i)
  }
})

test.for([
  ['See http://evil.onion/a.php now.', 'See hxxp[:]//evil[.]onion/a.php now.'],
  ['at https:evil or ftp://files now', 'at hxxps[:]evil or ftp[:]//files now'],
  ['at http:evil or me@home now', 'at hxxp[:]evil or me@home now'],
  ['group site: evil.onion', 'group site: evil[.]onion'],
  ['ask sales@acme.example, or @handle', 'ask sales[@]acme[.]example, or @handle'],
  ['(www.acme.example)', '(www[.]acme[.]example)'],
  ['Node.js 1.2.3 at 10:30, C:\\a.exe. HTTP: no', 'Node.js 1.2.3 at 10:30, C:\\a.exe. HTTP: no'],
])('leaves no address live in %s', ([text = '', defanged = '']) => {
  expect(defangText(text)).toBe(defanged)
  expect(defangText(defanged)).toBe(defanged)
})

test.for([
  [
    'We hit acme-corp.co.uk and files.acme.example.',
    'We hit acme-corp[.]co[.]uk and files[.]acme[.]example.',
  ],
  ['münchen.example, ACME.COM, xn--80ak6aa92e.com', 'münchen[.]example, ACME[.]COM, xn--80ak6aa92e[.]com'],
  ['at x.com and evil.xn--p1ai', 'at x[.]com and evil[.]xn--p1ai'],
  [
    'a.doc a.docx a.htm a.html a.jpg a.jpeg a.ppt a.pptx a.xls a.xlsx a.yml a.yaml',
    'a.doc a.docx a.htm a.html a.jpg a.jpeg a.ppt a.pptx a.xls a.xlsx a.yml a.yaml',
  ],
  ['archive.zip and run.sh are domains too', 'archive[.]zip and run[.]sh are domains too'],
  ['See http://evil.onion/a.php now.', 'See hxxp[:]//evil[.]onion/a.php now.'],
  [
    'Node.js reads report.pdf, e.g. 1.2.3 or C:\\out\\a.so',
    'Node.js reads report.pdf, e.g. 1.2.3 or C:\\out\\a.so',
  ],
  ['The end.Then more', 'The end.Then more'],
])('leaves no bare domain live in running text: %s', ([text = '', defanged = '']) => {
  expect(defangProse(text)).toBe(defanged)
  expect(defangProse(defanged)).toBe(defanged)
})
