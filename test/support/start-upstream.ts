import { createLog } from '#bff/http/log.ts'
import {
  createUpstream,
  type UpstreamKeys,
  type UpstreamOptions,
} from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { startStandInUpstream } from './stand-in-upstream.ts'
import { createVirtualClock, personOf } from './start-governed.ts'
import { v1List, v1Record } from './upstream-records.ts'
import { takeDatabase } from './with-database.ts'

export const LIST = '/api/v1/threats'
export const FEED = '/api/feed'
export const PERSON = personOf('s-1')

type Options = UpstreamKeys & Partial<UpstreamOptions>

/** The client of a stand-in vendor, on a database and a clock of its own. */
export async function startUpstream(options: Options = {}) {
  const keys = () => ({ apiKey: 'the-key', ...options })
  const standIn = await startStandInUpstream()
  standIn.play(LIST, { json: v1List([v1Record()]) })
  const clock = createVirtualClock()
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const database = await takeDatabase('bff')
  const upstream = createUpstream({ url: standIn.url, keys, database, clock, log, ...options })
  const list = (query = {}, caller = PERSON) => upstream.call('listThreats', { query }, caller)
  const listEarlier = () => upstream.call('listFeed', {}, PERSON)
  return { standIn, clock, logged, upstream, list, listEarlier }
}

/** Whatever a call ends with, if it is a failure of the vendor's. */
export async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof UpstreamError) return error
  throw new Error('the call did not fail upstream', { cause: error })
}
