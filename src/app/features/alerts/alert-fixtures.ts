import type { AlertList, AlertProfile, Backtest, ProfileMatches } from '#contract/bff/alert.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { Threat } from '#contract/bff/threat.ts'

export const FRESH: Freshness = {
  fetchedAt: '2026-11-21T12:03:00.000Z',
  isStale: false,
  staleReason: null,
  covers: { from: '2026-10-22T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' },
}

/** A plain threat for tests. */
export function aThreat(id: string, members: Partial<Threat> = {}): Threat {
  return {
    id,
    set: 'v1',
    title: `Threat ${id}`,
    excerpt: 'Files are said to be for sale.',
    category: 'Ransomware',
    severity: 'high',
    actors: ['Pale Harbour'],
    countries: [{ code: 'DE', name: 'Germany' }],
    industries: ['Healthcare'],
    organizations: ['Northwind Clinics'],
    domains: ['northwind.example'],
    publishedAt: '2026-11-20T08:30:00.000Z',
    redacted: [],
    ...members,
  }
}

export function aProfile(id: string, members: Partial<AlertProfile> = {}): AlertProfile {
  return {
    id,
    name: `Profile ${id}`,
    keywords: ['northwind', '"pale harbour"'],
    categories: ['Ransomware'],
    destinations: { email: ['a…@lantern.example'], slack: 'hooks.slack.com/…ab12', teams: null },
    triggeredCount: 7,
    createdAt: '2026-11-01T09:00:00.000Z',
    window: { matches: 3, latestAt: '2026-11-20T08:30:00.000Z' },
    ...members,
  }
}

export function anAlertList(profiles: AlertProfile[], members: Partial<AlertList> = {}): AlertList {
  return { profiles, unreadable: 0, freshness: FRESH, ...members }
}

export function aProfileMatches(
  matches: ProfileMatches['matches'],
  members: Partial<ProfileMatches> = {},
): ProfileMatches {
  return { matches, total: matches.length, freshness: FRESH, ...members }
}

/** Thirty whole days without a match, unless the members say otherwise. */
export function aBacktest(members: Partial<Backtest> = {}): Backtest {
  const firstDay = Date.parse('2026-10-23T00:00:00Z')
  return {
    matches: 0,
    compared: 1000,
    days: Array.from({ length: 30 }, (_, day) => {
      const from = new Date(firstDay + day * 86_400_000).toISOString()
      const to = new Date(firstDay + (day + 1) * 86_400_000).toISOString()
      return { date: from.slice(0, 10), from, to, coverage: 'whole', count: 0 }
    }),
    keywords: [],
    overlaps: [],
    samples: [],
    forecast: null,
    noiseLimitPerWeek: 50,
    freshness: FRESH,
    ...members,
  }
}
