import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

test('sends mail by TLS, by STARTTLS, or in a network that is declared trusted', () => {
  const read = (SMTP_URL: string) =>
    parseSettings({ SMTP_URL, MAIL_FROM: 'Lantern <lantern@corp.example>' }).delivery.mail
  const credentials = { user: 'ada@corp.example', password: 'p@ss' }
  expect(read('smtps://ada%40corp.example:p%40ss@mail.example')).toEqual({
    server: { host: 'mail.example', port: 465, tls: 'implicit', credentials },
    from: { name: 'Lantern', address: 'lantern@corp.example' },
  })
  expect(read('smtp://ada%40corp.example:p%40ss@mail.example')?.server).toEqual({
    host: 'mail.example',
    port: 587,
    tls: 'required',
    credentials,
  })
  expect(read('smtp://relay.example:25?tls=off')?.server).toEqual({
    host: 'relay.example',
    port: 25,
    tls: 'none',
    credentials: null,
  })
  expect(read('smtp://[::1]:1025')?.server).toMatchObject({ host: '::1', tls: 'none' })
  expect(parseSettings({}).delivery).toEqual({ mail: undefined, hosts: [], domains: [] })
  expect(
    parseSettings({ NOTIFY_HOSTS: 'Hooks.corp.example, *.corp.example', NOTIFY_DOMAINS: 'Corp.example' })
      .delivery,
  ).toMatchObject({ hosts: ['hooks.corp.example', '*.corp.example'], domains: ['corp.example'] })
})

test.each([
  ...[
    'hunter2',
    'https://mail.example',
    'smtp://ada:hunter2@mail.example?tls=off',
    'smtps://mail.example?tls=off',
    'smtp://:hunter2@mail.example',
    'smtp://mail.example/hunter2',
    'smtp://ada:%hunter2@mail.example',
  ].map((url): [string, Record<string, string>] => ['SMTP_URL', { SMTP_URL: url, MAIL_FROM: 'a@b.example' }]),
  ...['hunter2', 'hunter2 <a>', 'A <a@b.example> hunter2', 'A\r\nBcc: hunter2 <a@b.example>'].map(
    (from): [string, Record<string, string>] => [
      'MAIL_FROM',
      { SMTP_URL: 'smtps://a.example', MAIL_FROM: from },
    ],
  ),
  ['SMTP_URL and MAIL_FROM', { SMTP_URL: 'smtps://hunter2@mail.example' }],
  ['NOTIFY_HOSTS', { NOTIFY_HOSTS: '*' }],
  ['NOTIFY_HOSTS', { NOTIFY_HOSTS: 'https://hunter2.example' }],
  ['NOTIFY_DOMAINS', { NOTIFY_DOMAINS: '@hunter2.example' }],
])('refuses a bad %s in one line that does not repeat it', (name, environment) => {
  const read = () => parseSettings(environment)
  expect(read).toThrow(new RegExp(`^${name}.* must be .+$`))
  expect(read).not.toThrow(/hunter2/)
})
