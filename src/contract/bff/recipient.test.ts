import { expect, test } from 'vitest'
import { webhookFault } from './recipient.ts'

test.each([
  ['slack', 'https://hooks.slack.com/services/T000/B000/abcdef'],
  ['slack', 'https://hooks.slack-gov.com/services/T000/B000/abcdef'],
  ['slack', 'https://hooks.slack.com/triggers/T000/1/abcdef'],
  [
    'teams',
    'https://prod-23.westeurope.logic.azure.com:443/workflows/ab12/triggers/manual/paths/invoke?sig=x',
  ],
  [
    'teams',
    'https://default0a1b.2c.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/ab12/triggers/manual/paths/invoke?sig=x',
  ],
] as const)('takes the %s address %s', (kind, text) => {
  expect(webhookFault(kind, text, [])).toBeNull()
})

test.each([
  ['slack', 'hooks.slack.com/services/T0/B0/x', 'not a web address'],
  ['slack', 'http://hooks.slack.com/services/T0/B0/x', 'https://'],
  ['slack', 'https://ada:secret@hooks.slack.com/services/T0/B0/x', 'user name'],
  ['slack', 'https://hooks.slack.com.evil.example/services/T0/B0/x', 'look like'],
  ['slack', 'https://hooks.slack.com:8443/services/T0/B0/x', 'look like'],
  ['slack', 'https://hooks.slack.com/', 'cut short'],
  ['slack', `https://hooks.slack.com/services/${'x'.repeat(2048)}`, 'too long'],
  ['slack', 'https://hooks.slack.com/services/T0 B0', 'not a web address'],
  ['teams', 'https://acme.webhook.office.com/webhookb2/ab/IncomingWebhook/cd', 'switched off'],
  ['teams', 'https://outlook.office.com/webhook/ab/IncomingWebhook/cd', 'switched off'],
  ['teams', 'https://outlook.office365.com/webhook/ab', 'switched off'],
  ['teams', 'https://hooks.slack.com/services/T0/B0/x', 'no address of a Teams workflow'],
  ['teams', 'https://logic.azure.com.evil.example/workflows/x', 'no address of a Teams workflow'],
  ['teams', 'https://prod-23.westeurope.logic.azure.com/', 'cut short'],
] as const)('refuses the %s address %s', (kind, text, reason) => {
  expect(webhookFault(kind, text, [])).toContain(reason)
})

test.each([
  ['slack', 'https://mattermost.corp.example/hooks/abc', null],
  ['teams', 'https://relay.hooks.corp.example:8443/a', null],
  ['slack', 'https://corp.example/hooks/abc', 'look like'],
  ['slack', 'https://evil.example/?mattermost.corp.example', 'look like'],
  ['slack', 'http://mattermost.corp.example/hooks/abc', 'https://'],
  ['teams', 'https://ada:secret@mattermost.corp.example/a', 'user name'],
] as const)('takes the %s address %s where NOTIFY_HOSTS names its host: %s', (kind, text, reason) => {
  const fault = webhookFault(kind, text, ['mattermost.corp.example', '*.hooks.corp.example'])
  if (reason === null) expect(fault).toBeNull()
  else expect(fault).toContain(reason)
})
