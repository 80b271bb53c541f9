import type { Missing } from '#contract/bff/freshness.ts'
import type { Source } from '#contract/bff/source.ts'
import { DAY_MS } from '#contract/duration.ts'
import { type PageState, type Replies, refuse, reply } from '../page-state.ts'
import { SOURCE, signedInAs } from '../stand-in-bff.ts'

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const { v1 } = SOURCE.sets
const FORBIDDEN = { ...v1, status: 'forbidden', reason: 'Your plan has no API access.' } as const
const WAITING = { ...v1, blockedUntil: '2099-01-01T09:00:00.000Z' }

const MISSING: Missing = {
  unreadable: { count: 11, example: 'record 3 on page 2 of the list', reason: 'no id' },
  total: { said: 420, read: 409 },
  notes: ['The vendor refuses the next page of its own list: what it would hold is not read.'],
}

/** A page that asks nothing of its own, so that what stands around it is all there is. */
function shell(page: string, state: string, says: string, replies: Replies, press?: string): PageState {
  return { page, state, url: '/nowhere', says, replies, ...(press !== undefined && { press }) }
}

const banner = (state: string, says: string, some: Partial<Source>) =>
  shell('Banners', state, says, { session: signedInAs('admin'), source: reply({ ...SOURCE, ...some }) })

const budget = (state: string, says: string, some: Partial<Source>) =>
  shell(
    'Budget',
    state,
    says,
    { session: signedInAs('admin'), source: reply({ ...SOURCE, ...some }) },
    'left',
  )

function left(remaining: number): Partial<Source> {
  const day = { limit: 1_000, remaining, resetsAt: daysFromNow(0.4) }
  const minute = { limit: 10, remaining: Math.min(remaining, 10), resetsAt: daysFromNow(0.0005) }
  const set = { ...v1, budgets: { minute, day } }
  return { sets: { v1: set, earlier: set } }
}

export const SHELL_STATES: readonly PageState[] = [
  banner('none', 'There is no such page', {}),
  banner('demo data', 'Demo data', { kind: 'embedded', isDemo: true }),
  banner('no key', 'No API key is set', { key: 'missing' }),
  banner('key refused', 'The vendor refuses Lantern’s API key', { key: 'invalid' }),
  banner('neither route set', 'permits neither of its APIs', { sets: { v1: FORBIDDEN, earlier: FORBIDDEN } }),
  banner('out of calls', 'its limit is reached', { sets: { v1: WAITING, earlier: WAITING } }),
  banner('trial ends', 'trial of Lantern’s API key ends', { trialExpiresAt: daysFromNow(3) }),
  banner('trial ended', 'trial of Lantern’s API key ended', { trialExpiresAt: daysFromNow(-3) }),
  budget('plenty', 'All API calls', left(640)),
  budget('nearly used up', 'All API calls', left(12)),
  budget('used up', 'All API calls', left(0)),
  budget('window in trouble', 'The vendor refuses its list.', {
    window: { ...SOURCE.window, status: 'filling', trouble: 'The vendor refuses its list.' },
  }),
  budget('window lacks records', '11 records could not be read', {
    window: { ...SOURCE.window, status: 'partial', missing: MISSING },
  }),
  shell('Shell', 'account', 'Sign out everywhere', {}, 'Ada Example'),
  shell('Shell', 'palette', 'Overview', {}, 'Go to…'),
  shell('Shell', 'session unknown', 'What happened (internal)', { session: refuse('internal', 500) }),
  {
    page: 'Sign-in',
    state: 'a second factor first',
    url: '/sign-in/second-factor',
    says: 'Use an authenticator app',
    replies: { session: reply(null) },
  },
]
