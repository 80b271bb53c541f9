import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  entriesOf,
  listOf,
  membersOf,
  readCount,
  readFlag,
  readLabel,
  readName,
  readNames,
  readNumber,
  readText,
  readTime,
  readWord,
} from './read-value.ts'

test.each([
  ['a text', ' as it is ', ' as it is '],
  ['a number', 5, '5'],
  ['zero', 0, '0'],
  ['a number that JSON cannot hold', Number.POSITIVE_INFINITY, null],
  ['yes', true, 'true'],
  ['no', false, 'false'],
  ['nothing', '', null],
  ['blanks', ' \n', null],
  ['what nobody can see', ' \u200b\u3164\u2800\u202e ', null],
  ['as many words as there is room for', 'ab c'.repeat(16_384), 'ab c'.repeat(16_384)],
  ['too many words', `${'ab '.repeat(21_845)}AT&T`, 'ab '.repeat(21_845).trimEnd()],
  ['too many long words', `ab ${'c'.repeat(65_432)} ${'d'.repeat(101)}`, `ab ${'c'.repeat(65_432)}`],
  [
    'a last word without an end in sight',
    `ab ${'c'.repeat(65_431)} ${'d'.repeat(102)}`,
    `ab ${'c'.repeat(65_431)} ${'d'.repeat(101)}`,
  ],
  ['too long a word', 'a'.repeat(70_000), 'a'.repeat(65_536)],
  ['null', null, null],
  ['a list', ['a'], null],
  ['an object', { a: 1 }, null],
])('reads the text of %s', (_, value, text) => {
  expect(readText(value)).toBe(text)
})

test.each([
  ['a text', 'A', 'A'],
  ['its name', { name: 'A', title: 'B', label: 'C', value: 'D' }, 'A'],
  ['its title', { title: 'B', label: 'C', value: 'D' }, 'B'],
  ['its label', { label: 'C', value: 'D' }, 'C'],
  ['its value', { value: 'D', id: 3 }, 'D'],
  ['the first that is a text', { name: '', title: { en: 'B' }, label: 'C' }, 'C'],
  ['nothing of an object without one', { id: 3 }, null],
  ['nothing of a list', ['A'], null],
])('reads as a name %s', (_, value, name) => {
  expect(readName(value)).toBe(name)
})

test.each([
  ['each once', ['A', { name: 'B' }, 'A'], ['A', 'B']],
  ['of one text', 'A', ['A']],
  ['of one object', { name: 'A' }, ['A']],
  ['of a map of counts', { A: 3, B: 0.5 }, ['A', 'B']],
  ['without what is none', [null, {}, '', 'A'], ['A']],
  ['of nothing', [], null],
  ['of blanks', ['', ' '], null],
  ['of null', null, null],
  ['of an empty object', {}, null],
])('reads names %s', (_, value, names) => {
  expect(readNames(value)).toEqual(names)
})

test.each([
  ['undefined', undefined, []],
  ['null', null, []],
  ['a list', [null, 1], [null, 1]],
  ['one text', 'A', ['A']],
  ['an empty object', {}, [{}]],
  ['an object of which one member is no count', { a: 1, b: '2' }, [{ a: 1, b: '2' }]],
  ['a map of counts', { a: 1, b: 2 }, ['a', 'b']],
])('takes for a list %s', (_, value, list) => {
  expect(listOf(value)).toEqual(list)
})

test('takes at most a thousand of a map of counts', () => {
  const counts = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, at]))
  expect(listOf(counts)).toHaveLength(1_000)
})

test.each([
  [0, 0],
  [12, 12],
  ['12', 12],
  ['0', 0],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['9'.repeat(15), 999_999_999_999_999],
  ['9'.repeat(16), null],
  [Number.MAX_SAFE_INTEGER + 1, null],
  [-1, null],
  [0.5, null],
  ['-1', null],
  ['12 posts', null],
  ['a 12', null],
  ['1e3', null],
  ['+12', null],
  ['12.0', null],
  ['', null],
  [null, null],
  [[12], null],
])('reads %j as the count %j', (value, count) => {
  expect(readCount(value)).toBe(count)
})

test('a number counts only where it came as one, and is no time', () => {
  expect([readNumber(12), readNumber(999_999_999)]).toEqual([12, 999_999_999])
  expect([readNumber('12'), readNumber(1_000_000_000), readNumber(-1)]).toEqual([null, null, null])
})

test('a label came as text', () => {
  expect([readLabel('12'), readLabel(12), readLabel(true), readLabel(' ')]).toEqual(['12', null, null, null])
})

test.each([
  ['LockBit', 'LockBit'],
  ['8Base', '8Base'],
  ['888', null],
  ['2026-03-10', null],
  ['Tue, 10 Mar 2026 12:00:00 GMT', null],
  ['https://x.example', null],
  ['HTTP://x.example', null],
  ['svn+ssh://x', null],
  ['see https://x.example', 'see https://x.example'],
  ['://', '://'],
  [888, null],
  [null, null],
])('takes %j for a word: %j', (value, word) => {
  expect(readWord(value)).toBe(word)
})

test('a flag is true or false, and nothing else', () => {
  expect([readFlag(true), readFlag(false), readFlag('true'), readFlag(1)]).toEqual([true, false, null, null])
})

test.each([[null], [undefined], ['text'], [7], [['a']], [true]])('%j has no members', (value) => {
  expect(membersOf(value)).toBeNull()
  expect(entriesOf(value)).toEqual([])
})

test('reads a time without a zone as UTC, in any time zone of the server', () => {
  const reader = JSON.stringify(new URL('read-value.ts', import.meta.url))
  const script = `import { readTime } from ${reader}; process.stdout.write(readTime('2026-03-10 08:30'))`
  const child = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { TZ: 'Pacific/Auckland' },
  })
  expect(child).toBe('2026-03-10T08:30:00.000Z')
})

test.each([
  ['2026-03-10', '2026-03-10T00:00:00.000Z'],
  [' 2026-03-10 ', '2026-03-10T00:00:00.000Z'],
  ['2026-03-10T08:30', '2026-03-10T08:30:00.000Z'],
  ['2026-03-10 08:30:15', '2026-03-10T08:30:15.000Z'],
  ['2026-03-10t08:30:15z', '2026-03-10T08:30:15.000Z'],
  ['2026-03-10T08:30:15.1Z', '2026-03-10T08:30:15.100Z'],
  ['2026-03-10T08:30:15.123456789Z', '2026-03-10T08:30:15.123Z'],
  ['2026-03-10T08:30:15+02:00', '2026-03-10T06:30:15.000Z'],
  ['2026-03-10T08:30:15-05:30', '2026-03-10T14:00:15.000Z'],
  ['2026-03-10 08:30:15 +02:00', '2026-03-10T06:30:15.000Z'],
  ['2028-02-29T23:30:00-05:00', '2028-03-01T04:30:00.000Z'],
  ['Tue, 10 Mar 2026 12:00:00 GMT', '2026-03-10T12:00:00.000Z'],
  ['Tue, 3 Mar 2026 12:00:00 GMT', '2026-03-03T12:00:00.000Z'],
  [1_773_144_000, '2026-03-10T12:00:00.000Z'],
  ['1773144000', '2026-03-10T12:00:00.000Z'],
  [1_773_144_000_000, '2026-03-10T12:00:00.000Z'],
  [1_000_000_000, '2001-09-09T01:46:40.000Z'],
  [99_999_999_999, '5138-11-16T09:46:39.000Z'],
  [100_000_000_000, '1973-03-03T09:46:40.000Z'],
])('reads the time %j', (value, time) => {
  expect(readTime(value)).toBe(time)
})

test.each([
  ['a day that is not', '2026-02-30'],
  ['a day that is not, in another zone', '2026-04-31T23:30:00-05:00'],
  ['a month that is not', '2026-13-01'],
  ['an hour that is not', '2026-03-10T25:00'],
  ['a mail date whose day is not', 'Mon, 30 Feb 2026 12:00:00 GMT'],
  ['a mail date of another zone', 'Tue, 10 Mar 2026 12:00:00 PST'],
  ['words around a date', 'on 2026-03-10'],
  ['a word and a digit', 'foo 1'],
  ['a number with an exponent', '9e99'],
  ['words after a date', '2026-03-10 or so'],
  ['words before a mail date', 'on Tue, 10 Mar 2026 12:00:00 GMT'],
  ['a mail date with words after', 'Tue, 10 Mar 2026 12:00:00 GMT (noon)'],
  ['a year alone', '2026'],
  ['a local way to write it', '10/03/2026'],
  ['a small number', 999_999_999],
  ['a small number in digits', '999999999'],
  ['too many digits', '177314400000000'],
  ['digits in words', 'at 1773144000'],
  ['digits and words', '1773144000 s'],
  ['a year of five digits', 253_402_300_800_000],
  ['no number', Number.NaN],
  ['more than any time', 9e15],
  ['yes', true],
  ['null', null],
  ['a list', ['2026-03-10']],
  ['a list of digits', ['1773144000']],
])('takes no time from %s', (_, value) => {
  expect(readTime(value)).toBeNull()
})
