import { makeActor, makeActorAnswer, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import {
  makeCountry,
  makeCountryAnswer,
  makeCountryList,
  STATISTICS,
} from '#test/fixtures/country-fixtures.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { type PageState, type Replies, type Reply, refuse, reply } from '../page-state.ts'

const CONCERNS: Replies = {
  'facets/country': reply({ values: [{ value: 'DE', count: 3 }], more: 0, isExact: true }),
  'facets/actor': reply({ values: [{ value: 'LockBit', count: 1 }], more: 0, isExact: true }),
  lists: reply({ lists: [makeList()] }),
}
const BESIDE: Replies = {
  ...CONCERNS,
  trends: reply(aTrendAnswer({ series: ['Ransomware'] })),
  threats: reply(aThreatList([aThreat('a-1'), aThreat('a-2')], {})),
}

function actors(state: string, says: string, answer: Reply, url = '/actors'): PageState {
  return { page: 'Actors', state, url, says, replies: { actors: answer } }
}

function actor(state: string, says: string, answer: Reply, replies: Replies = {}): PageState {
  return {
    page: 'Actor',
    state,
    url: '/actors/LockBit',
    says,
    replies: { ...BESIDE, 'actors/LockBit': answer, ...replies },
  }
}

function countries(state: string, says: string, answer: Reply): PageState {
  return { page: 'Countries', state, url: '/countries', says, replies: { ...CONCERNS, countries: answer } }
}

function country(state: string, says: string, answer: Reply, replies: Replies = {}): PageState {
  return {
    page: 'Country',
    state,
    url: '/countries/DE',
    says,
    replies: { ...BESIDE, 'countries/DE': answer, ...replies },
  }
}

const COUNTS = Array.from({ length: 30 }, (_, at) => (at * 7) % 5)

export const PLACE_STATES: readonly PageState[] = [
  actors(
    'full',
    'Ashfall',
    reply(
      makeActorList([
        makeActor('LockBit', { counts: COUNTS }),
        makeActor('Ashfall', { isHeld: false, mentions: 0, counts: [] }),
        makeActor('Quillon', { week: { count: 9, compared: { count: 9, previous: 1 } }, compared: null }),
      ]),
    ),
  ),
  actors('nothing found', 'No actor of that name', reply(makeActorList([])), '/actors?q=nobody'),
  actors(
    'hostile names',
    'Actors',
    reply(
      makeActorList(
        Object.values(NASTY_STRINGS)
          .filter(Boolean)
          .map((name) => makeActor(name)),
      ),
    ),
  ),
  actors('loading', 'Actors', 'never'),
  actors('failed', 'What happened (upstream_unavailable)', refuse('upstream_unavailable', 502)),
  actor('full', 'ABCD', reply(makeActorAnswer('LockBit', { counts: COUNTS }))),
  actor(
    'window empty',
    'LockBit',
    reply(makeActorAnswer('LockBit', { isHeld: false, mentions: null, compared: null, week: null })),
    { trends: refuse('window_empty', 503), threats: refuse('window_empty', 503) },
  ),
  actor('unknown', 'No such actor is known', refuse('not_found', 404)),
  actor('failed', 'What happened (internal)', refuse('internal', 500)),
  countries(
    'full',
    'Malta',
    reply(
      makeCountryList([
        makeCountry('US', 320, { counts: COUNTS }),
        makeCountry('DE', 112),
        makeCountry('FR', 5, { compared: { count: 5, previous: 9 } }),
        makeCountry('MT', 1, { compared: null }),
      ]),
    ),
  ),
  countries('empty', 'Countries', reply(makeCountryList([]))),
  countries('loading', 'Countries', 'never'),
  countries('window empty', 'No countries yet', refuse('window_empty', 503)),
  countries('failed', 'What happened (internal)', refuse('internal', 500)),
  country(
    'without the vendor’s figures',
    'The calls of this day are used up.',
    reply(makeCountryAnswer('DE', {})),
  ),
  country('with the vendor’s figures', 'Mostly ransomware', reply(makeCountryAnswer('DE', STATISTICS))),
  country('unknown', 'No statistics', refuse('not_found', 404)),
  country('failed', 'What happened (internal)', refuse('internal', 500)),
]
