import type * as z from 'zod/mini'
import type { RouteSet } from '../route-set.ts'
import { dataVersionSchema } from './data-version.ts'
import { alertProfileSchema, alertProfileStatesSchema, alertProfilesSchema } from './earlier/alert-profile.ts'
import { alertDeletedSchema, changeAlertSchema } from './earlier/change-alert.ts'
import { createAlertSchema } from './earlier/create-alert.ts'
import { feedQuerySchema, feedSchema } from './earlier/feed.ts'
import { metricsSchema } from './earlier/metrics.ts'
import { earlierThreatDetailSchema } from './earlier/threat.ts'
import { v1CountryAnswerSchema } from './v1/country.ts'
import { v1ThreatAnswerSchema } from './v1/threat.ts'
import { v1ActorsQuerySchema, v1ActorsSchema } from './v1/threat-actor.ts'
import { v1ThreatsQuerySchema, v1ThreatsSchema } from './v1/threat-list.ts'

const UNCOUNTED = 'Not counted as a request.'

export type UpstreamRoute = {
  set: RouteSet
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** RFC 6570 braces for parameters. */
  path: `/api/${string}`
  summary: string
  query?: z.ZodMiniObject
  body?: z.ZodMiniObject
  status: 200 | 201
  answer: z.ZodMiniType
  /** Failures of its own, beside those that every route can answer. */
  failures: readonly (403 | 404 | 413 | 415)[]
  /** Its purpose, for a route that the reference does not have. Only a service that names such a route receives requests for it. */
  extension?: string
}

/** Every route of the reference's section 4, and those that our own service has beyond it. */
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
  readAlertProfiles: {
    set: 'earlier',
    method: 'GET',
    path: '/api/alert-profiles',
    summary: "List the account's alert profiles with their states",
    status: 200,
    answer: alertProfileStatesSchema,
    failures: [403],
    extension: `For the dashboard that sends their messages: this service sends none. ${UNCOUNTED}`,
  },
  changeAlert: {
    set: 'earlier',
    method: 'PUT',
    path: '/api/alerts/{id}',
    summary: 'Change, pause or resume an alert profile',
    body: changeAlertSchema,
    status: 200,
    answer: alertProfileSchema,
    failures: [403, 404, 413, 415],
    extension: `What is left out stays. While a profile is paused, what matches it is counted. ${UNCOUNTED}`,
  },
  deleteAlert: {
    set: 'earlier',
    method: 'DELETE',
    path: '/api/alerts/{id}',
    summary: 'Delete an alert profile',
    status: 200,
    answer: alertDeletedSchema,
    failures: [403, 404],
    extension: UNCOUNTED,
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
  readDataVersion: {
    set: 'earlier',
    method: 'GET',
    path: '/api/data-version',
    summary: 'Read which version of the data the service holds',
    status: 200,
    answer: dataVersionSchema,
    failures: [],
    extension: 'Says whether anything is worth reading again. Any valid key may ask, and it is not counted.',
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

/** Beyond the reference: lists take `include=content`. */
export const CONTENT_EXTENSION = 'listContent'

/** Extensions of our own service beyond the reference, as it announces them: names of routes and list parameters. */
export const EXTENSION_NAMES: readonly string[] = [
  ...Object.entries<UpstreamRoute>(UPSTREAM_ROUTES)
    .filter(([, { extension }]) => extension !== undefined)
    .map(([name]) => name),
  CONTENT_EXTENSION,
]
