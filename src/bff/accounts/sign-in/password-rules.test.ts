import { describe, expect, test } from 'vitest'
import { findPasswordFault, refuseWeakPassword } from './password-rules.ts'

const ADA = { email: 'ada.lovelace@corp.example', name: 'Ada King' }

describe('a password is refused', () => {
  test.each([
    // The first shows that there are words to compare with.
    ...[
      'password1234',
      '123456789012',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc4rfv',
      'qwertyuiopasdfghjkl',
      'zxcvbnm12345',
    ],
    ...['Password1234!', 'P@ssw0rd2026!', 'passwordpassword', 'administrator1'],
    ...['letmeinletmein', 'changeme1234', 'aaaaaaaaaaaa', 'abcdabcdabcd', 'abcdeabcdeab', '01.02.1990-1990'],
  ])('that everybody tries: %s', async (password) => {
    expect(await findPasswordFault(password, ADA)).toMatch(/^Too common/)
  })

  test.each(['Summer2026!!', 'September2026!', 'Lantern2026!!', 'Lantern-1234'])(
    'that a rule of composition lets through: %s',
    async (password) => {
      expect(await findPasswordFault(password, ADA)).toMatch(/^Too common/)
    },
  )

  test.each([
    'ada.lovelace@corp.example',
    'adalovelace1234',
    '1234AdaLovelace',
    'ada king 2026',
    'corp2026!!!!',
  ])('that is little more than what is known of the person: %s', async (password) => {
    expect(await findPasswordFault(password, ADA)).toMatch(/^Too common/)
  })

  test('that is little more than the name of the host', async () => {
    expect(await findPasswordFault('vexillology77', ADA, 'vexillology.example')).not.toBeNull()
    expect(await findPasswordFault('vexillology-quixotic-77', ADA)).toBeNull()
  })

  test('at any length, and with any text after 64 characters', async () => {
    expect(await findPasswordFault('password'.repeat(16), ADA)).not.toBeNull()
    const words = 'x7!Kq2-vT9p correct horse'
    expect(await findPasswordFault(`${'password'.repeat(8)}${words}`, ADA)).not.toBeNull()
    expect(await findPasswordFault(`${words}${'password'.repeat(8)}`, ADA)).toBeNull()
  })

  test('with only the reason that applies', async () => {
    const fault = 'Too common. Use several unrelated words.'
    expect(await findPasswordFault('zqpmwn7', ADA)).toBe(fault)
  })

  test('only if it is weak', async () => {
    await expect(refuseWeakPassword('correct horse battery', ADA)).resolves.toBeUndefined()
  })

  test('with the reason at its field', async () => {
    await expect(refuseWeakPassword('passwordpassword', ADA)).rejects.toMatchObject({
      problem: {
        code: 'bad_request',
        detail: 'Choose another password.',
        fields: [
          {
            name: 'password',
            reason: 'Too common: it repeats itself. Use several unrelated words.',
          },
        ],
      },
    })
  })
})

test.each([
  'correct horse battery',
  'a staple of several words',
  'lantern in a quiet harbour',
  'x7!Kq2-vT9p',
  'зима близко а кофе остыл',
])('a password is taken that is not so easy to guess: %s', async (password) => {
  expect(await findPasswordFault(password, ADA)).toBeNull()
})
