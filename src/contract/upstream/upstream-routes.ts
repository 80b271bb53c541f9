import type * as z from 'zod/mini'
import type { RouteSet } from '../route-set.ts'
import { alertProfileSchema, alertProfilesSchema } from './earlier/alert-profile.ts'
import { createAlertSchema } from './earlier/create-alert.ts'
import { feedQuerySchema, feedSchema } from './earlier/feed.ts'
import { metricsSchema } from './earlier/metrics.ts'
import { earlierThreatDetailSchema } from './earlier/threat.ts'
import { v1CountryAnswerSchema } from './v1/country.ts'
import { v1ThreatAnswerSchema } from './v1/threat.ts'
import { v1ActorsQuerySchema, v1ActorsSchema } from './v1/threat-actor.ts'
import { v1ThreatsQuerySchema, v1ThreatsSchema } from './v1/threat-list.ts'

export type UpstreamRoute = {
  set: RouteSet
  method: 'GET' | 'POST'
  /** RFC 6570 braces for parameters. */
  path: `/api/${string}`
  summary: string
  query?: z.ZodMiniObject
  body?: z.ZodMiniObject
  status: 200 | 201
  answer: z.ZodMiniType
  /** Failures of its own, beside those that every route can answer. */
  failures: readonly (403 | 404 | 413 | 415)[]
}

/** Every route of the reference's section 4. */
export const UPSTREAM_ROUTES = {
  listFeed: {
    set: 'earlier',
    method: 'GET',
    path: '/api/feed',
    summary: 'List threats, newest first',
    query: feedQuerySchema,
    status: 200,
    answer: feedSchema,
    failures: [403],
  },
  readFeedThreat: {
    set: 'earlier',
    method: 'GET',
    path: '/api/feed/{id}',
    summary: 'Read one threat',
    status: 200,
    answer: earlierThreatDetailSchema,
    failures: [403, 404],
  },
  listAlerts: {
    set: 'earlier',
    method: 'GET',
    path: '/api/alerts',
    summary: "List the account's alert profiles",
    status: 200,
    answer: alertProfilesSchema,
    failures: [403],
  },
  createAlert: {
    set: 'earlier',
    method: 'POST',
    path: '/api/alerts',
    summary: 'Create an alert profile',
    body: createAlertSchema,
    status: 201,
    answer: alertProfileSchema,
    failures: [403, 413, 415],
  },
  readMetrics: {
    set: 'earlier',
    method: 'GET',
    path: '/api/metrics',
    summary: 'Read metrics of the store and of the account',
    status: 200,
    answer: metricsSchema,
    failures: [403],
  },
  listThreats: {
    set: 'v1',
    method: 'GET',
    path: '/api/v1/threats',
    summary: 'List threats, newest first',
    query: v1ThreatsQuerySchema,
    status: 200,
    answer: v1ThreatsSchema,
    failures: [403],
  },
  readThreat: {
    set: 'v1',
    method: 'GET',
    path: '/api/v1/threats/{id}',
    summary: 'Read one threat',
    status: 200,
    answer: v1ThreatAnswerSchema,
    failures: [403, 404],
  },
  listActors: {
    set: 'v1',
    method: 'GET',
    path: '/api/v1/threat-actors',
    summary: 'List threat actors, most mentioned first',
    query: v1ActorsQuerySchema,
    status: 200,
    answer: v1ActorsSchema,
    failures: [403],
  },
  readCountry: {
    set: 'v1',
    method: 'GET',
    path: '/api/v1/countries/{code-or-name}',
    summary: 'Read the statistics of one country',
    status: 200,
    answer: v1CountryAnswerSchema,
    failures: [403, 404],
  },
} as const satisfies Record<string, UpstreamRoute>
