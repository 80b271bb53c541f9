import { ProblemError } from '#bff/http/problem-error.ts'

/** The long ones of the passwords that are tried first everywhere; shorter ones are refused by their length. */
const COMMON = new Set([
  '123456789012',
  '1234567890123',
  '123456789101112',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'q1w2e3r4t5y6',
  'qazwsxedcrfv',
  'qwerty123456',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopasdfghjkl',
  'asdfghjkl123',
  'zxcvbnm12345',
  '123qweasdzxc',
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'administrator',
  'administrator1',
  'letmeinletmein',
  'iloveyouiloveyou',
  'welcome12345',
  'changeme1234',
  'correcthorsebatterystaple',
])
const FEW_CHARACTERS = 5

/** Refuses what is guessed first: by everyone, or by whoever knows the account. */
export function refuseWeakPassword(password: string, account: { email: string; name: string }): void {
  const plain = password.toLowerCase().replace(/[\s._-]+/g, '')
  const own = [account.email, account.email.split('@', 1).join(''), account.name, 'lantern']
  const isOwn = own.some(
    (text) => text.length > 2 && isMostly(plain, text.toLowerCase().replace(/[\s._-]+/g, '')),
  )
  if (COMMON.has(plain) || new Set(plain).size < FEW_CHARACTERS || isOwn) {
    throw new ProblemError({
      code: 'bad_request',
      detail: 'Choose another password.',
      fields: [{ name: 'password', reason: 'This is easy to guess. Several unrelated words are not.' }],
    })
  }
}

/** Whether little is left of a password without a word of the account's own. */
function isMostly(password: string, word: string): boolean {
  return password.replaceAll(word, '').length < FEW_CHARACTERS
}
