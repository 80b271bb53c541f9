import { anAlertList, aProfile } from '#test/fixtures/alert-fixtures.ts'
import {
  aDelivery,
  aDeliveryDetail,
  aHealth,
  aLanternProfile,
  aLanternProfileList,
  aLedger,
  anAlertHealth,
  anId,
  anInboxItem,
} from '#test/fixtures/delivery-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { type PageState, type Reply, refuse, reply } from '../page-state.ts'
import { SOURCE, signedInAs } from '../stand-in-bff.ts'

const FAILED = {
  state: 'failed',
  code: '404',
  excerpt: 'no_service',
  attempts: 1,
  channel: 'slack',
} as const
const ENTRIES = [
  aDelivery(1, { state: 'queued', answeredAt: null, attempts: 0, code: null, excerpt: null }),
  aDelivery(2, FAILED),
  aDelivery(3, {
    state: 'unclear',
    channel: 'email',
    destination: 'a…@corp.example',
    causes: [{ id: anId(7), name: 'Hospitals in Germany' }],
    code: 'timeout',
  }),
  aDelivery(4, {
    state: 'retrying',
    channel: 'teams',
    destination: 'prod-1.logic.azure.com/…9f2c',
    attempts: 4,
  }),
  aDelivery(5, { state: 'heldBack', threatCount: 214, attempts: 0 }),
  aDelivery(6, { state: 'notSent', reason: 'paused', attempts: 0 }),
  aDelivery(7, { kind: 'test', threatCount: 0 }),
  aDelivery(8, {
    kind: 'notice',
    threatCount: 0,
    subject: 'The vendor has refused the key',
  }),
  aDelivery(9, { channel: 'webhook', destination: 'soar.example/…hook' }),
]

function deliveries(state: string, says: string, answer: Reply, some: Partial<PageState> = {}): PageState {
  return {
    page: 'Deliveries',
    state,
    url: '/alerts/deliveries',
    says,
    ...some,
    replies: { deliveries: answer, ...some.replies },
  }
}

const opened = (number: number, members: Parameters<typeof aDeliveryDetail>[1]): Partial<PageState> => ({
  url: `/alerts/deliveries?open=${anId(number)}`,
  replies: { [`deliveries/${anId(number)}`]: reply(aDeliveryDetail(number, members)) },
})

const SUMMARIES = {
  'p-1': { state: 'active', lastSentAt: '2026-11-21T09:00:00.000Z', failures: 2 },
  'p-2': { state: 'paused', lastSentAt: null, failures: 0 },
} as const
const SENDING = reply(
  anAlertList([aProfile('p-1', { name: 'Clinics' }), aProfile('p-2', { name: 'Energy' })], {
    extension: { hasEmail: false, deliveries: SUMMARIES },
  }),
)
const USERS = [{ id: anId(71), name: 'Bo Example' }]
const PROFILES = reply(
  aLanternProfileList(
    [
      aLanternProfile(1, {
        failures: 1,
        recipients: [
          ...aLanternProfile(1).recipients,
          {
            channel: 'webhook',
            id: anId(301),
            destination: 'hooks.example/…ef56',
            health: aHealth({
              state: 'failing',
              since: '2026-11-20T10:15:00.000Z',
              fault: { code: '404', excerpt: 'no_service' },
              remedy: 'Create a new webhook there, and enter it here.',
            }),
          },
        ],
      }),
      aLanternProfile(2, {
        owner: { name: 'Bo', isMe: false },
        state: 'paused',
        lastSentAt: null,
        name: 'x'.repeat(80),
      }),
    ],
    { hasEmail: false, domains: ['corp.example'], hosts: ['hooks.corp.example'] },
  ),
)
const FAILING = aHealth({
  state: 'failing',
  fault: { code: '404', excerpt: 'no_service' },
  remedy: 'Create a new webhook there, and enter it here.',
})
const DESTINATION = {
  channel: 'slack',
  destination: 'hooks.slack.com/…cd34',
  health: aHealth(),
  profiles: [{ id: anId(1), name: 'Hospitals in Germany' }],
} as const
const WORKING = {
  lastSentAt: '2026-11-21T12:00:00.000Z',
  destinations: [{ ...DESTINATION, profiles: [...DESTINATION.profiles] }],
  destinationCount: 1,
}
const BROKEN = {
  ...WORKING,
  problems: [
    {
      kind: 'unreached' as const,
      since: '2026-11-21T11:50:00.000Z',
      subject: 'Messages to hooks.slack.com: not delivered',
      text: 'Connection refused. Recipients: hooks.slack.com/…cd34 (Hospitals in Germany). Check that the server runs.',
      path: '/alerts/deliveries?state=retrying',
    },
  ],
  destinations: WORKING.destinations.map((one) => ({ ...one, health: FAILING })),
}
const OWN = reply({ ...SOURCE, isOwnService: true })
const MATCHES = {
  'alerts/p-1/matches': reply({ matches: [], total: 0, days: [], freshness: anAlertList([]).freshness }),
}

export const DELIVERY_STATES: readonly PageState[] = [
  deliveries('full', 'Held back', reply(aLedger(ENTRIES, { nextCursor: 'older' }))),
  deliveries('one failed, open', 'no_service', reply(aLedger(ENTRIES)), {
    ...opened(2, {
      ...FAILED,
      history: [
        {
          number: 1,
          startedAt: '2026-11-21T12:00:00.000Z',
          endedAt: '2026-11-21T12:00:02.000Z',
          outcome: 'refused',
          code: '404',
          excerpt: 'no_service',
        },
      ],
    }),
  }),
  deliveries('one unclear, asked about', 'It may arrive twice.', reply(aLedger(ENTRIES)), {
    ...opened(3, { state: 'unclear', channel: 'email', destination: 'a…@corp.example' }),
    press: 'Send again…',
  }),
  deliveries(
    'hostile text',
    'Deliveries',
    reply(
      aLedger(
        Object.values(NASTY_STRINGS).map((text, at) =>
          aDelivery(at, {
            kind: 'notice',
            subject: text,
            destination: text,
            causes: [{ id: text, name: text }],
          }),
        ),
      ),
    ),
  ),
  deliveries('empty', 'open a profile in Alerts and press Test', reply(aLedger([]))),
  deliveries('nothing fits', 'No message fits', reply(aLedger([])), {
    url: '/alerts/deliveries?state=failed&channel=teams',
  }),
  deliveries('vendor sends', 'Lantern cannot list them', reply(aLedger([], { isVendorSending: true }))),
  deliveries('loading', 'Deliveries', 'never'),
  deliveries('failed', 'What happened (internal)', refuse('internal', 500)),
  deliveries('for analysts', 'Deliveries are for analysts', refuse('role_not_allowed', 403), {
    replies: { session: signedInAs('viewer') },
  }),
  {
    page: 'Alerts',
    state: 'Lantern sends',
    url: '/alerts?profile=p-1',
    says: 'failures in 7 days',
    replies: { alerts: SENDING, 'alert-profiles': PROFILES, source: OWN, ...MATCHES },
  },
  {
    page: 'Alerts',
    state: 'with profiles in Lantern',
    url: '/alerts',
    says: 'Hospitals in Germany',
    replies: { alerts: SENDING, 'alert-profiles': PROFILES, source: OWN },
  },
  ...(
    [
      ['working', 'All channels working', reply(anAlertHealth(WORKING))],
      ['broken', 'Messages to hooks.slack.com: not delivered', reply(anAlertHealth(BROKEN))],
      ['health loading', 'Loading the health', 'never'],
      ['health failed', 'Health is not known', refuse('internal', 500)],
    ] as const
  ).map(
    ([state, says, health]): PageState => ({
      page: 'Alerts',
      state,
      url: '/alerts',
      says,
      replies: { alerts: SENDING, 'alert-profiles': PROFILES, 'alerts/health': health, source: OWN },
    }),
  ),
  {
    page: 'Alerts',
    state: 'a profile in Lantern',
    url: `/alerts?profile=${anId(1)}`,
    says: 'View threats',
    replies: { alerts: SENDING, 'alert-profiles': PROFILES, source: OWN },
  },
  {
    page: 'Alert builder',
    state: 'a profile in Lantern changed',
    url: `/alerts/new?edit=${anId(1)}`,
    says: 'Signed webhook',
    replies: {
      'alert-profiles': PROFILES,
      'alert-profiles/users': reply({ users: USERS }),
      'alert-profiles/backtest': 'never',
      source: OWN,
    },
  },
  {
    page: 'Alert builder',
    state: 'a profile changed',
    url: '/alerts/new?edit=p-1',
    says: 'Save',
    replies: { alerts: SENDING, source: OWN, 'alert-profiles/backtest': 'never' },
  },
  {
    page: 'Shell',
    state: 'bell open',
    url: '/alerts/deliveries',
    says: 'Mark all read',
    press: 'Notifications, ',
    replies: {
      deliveries: reply(aLedger([])),
      inbox: reply({
        items: [
          anInboxItem(1),
          anInboxItem(2, {
            kind: 'notice',
            title: 'Messages to a…@corp.example: failed',
            detail:
              '550 “no such user”. Recipients: a…@corp.example (Clinics). Check the email address and its mailbox.',
          }),
          anInboxItem(3, { kind: 'notice', title: NASTY_STRINGS.html ?? 'x'.repeat(300), isRead: true }),
        ],
        unread: 120,
      }),
    },
  },
]
