import { expect, test } from 'vitest'
import { csvLine, toCsv } from './csv.ts'

test.each([
  [['plain', 7, null], 'plain,7,\r\n'],
  [['a, b', 'say "x"', 'two\nlines'], '"a, b","say ""x""","two\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x', '\tx', '\rx'], `'=1+1,'+1,'-1,'@x,'\tx,"'\rx"\r\n`],
  [['＝1+1', '＋1', '－1', '＠x', '\nx'], `'＝1+1,'＋1,'－1,'＠x,"'\nx"\r\n`],
  [['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"\r\n`],
  [['a\0b', '\ud800', Number.NaN, -3], 'a\ufffdb,\ufffd,,-3\r\n'],
])('writes %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

test('begins with the mark by which spreadsheets know UTF-8', () => {
  expect(toCsv([['Name'], ['Größe']])).toBe('\ufeffName\r\nGröße\r\n')
})
