import { expect, test } from 'vitest'
import { readAuditCommand } from './audit-command.ts'

test.each([
  ['', 'Give a command'],
  ['verify --noted 12', 'Unknown option'],
  ['verify 12', 'What is "12"?'],
  ['erase bob@example.com', 'Give the id'],
  ['prune --before soon', '--before: must be a day'],
  ['delete', 'There is no command "delete"'],
])('says what is wrong with: %s', (line, mistake) => {
  expect(() => readAuditCommand(line.split(' ').filter(Boolean))).toThrow(mistake)
})

test.each(['help', '--help', '-h'])('says how it is used for: %s', (line) => {
  expect(readAuditCommand([line])).toEqual({ name: 'help' })
})
