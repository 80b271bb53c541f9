import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { FullTextSearch } from '#contract/bff/full-text-search.ts'
import type { Source } from '#contract/bff/source.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const NEVER: FullTextSearch = { words: 'vault', refusal: null, isStored: false, last: null }
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

function searched(some: Partial<NonNullable<FullTextSearch['last']>> = {}): FullTextSearch {
  const times = { searchedAt: inMinutes(-5), repeatableAt: inMinutes(55) }
  return { ...NEVER, last: { ...times, found: 12, added: 4, nextOffset: null, more: 0, ...some } }
}

/** What is sent is kept. */
function serve(known: FullTextSearch, answers: readonly (() => Response)[] = [], earlier = {}, own = {}) {
  const sent: unknown[] = []
  const isFound = () => sent.length > 0 && answers.length > 0
  const source: Source = {
    ...SOURCE,
    ...own,
    sets: { ...SOURCE.sets, earlier: { ...SOURCE.sets.earlier, ...earlier } },
  }
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json(source)),
    http.get('/bff/threats', () => HttpResponse.json(aThreatList(isFound() ? [aThreat('a-1')] : [], {}))),
    http.get('/bff/full-text-searches', () => HttpResponse.json(known)),
    http.post('/bff/full-text-searches', async ({ request }) => {
      sent.push(await request.json())
      return answers[sent.length - 1]?.() ?? HttpResponse.error()
    }),
  )
  return sent
}

const region = () => screen.findByRole('region', { name: 'Full texts' })

test('a press searches once, says what was found, shows it in the list and keeps the focus nearby', async () => {
  const sent = serve(NEVER, [() => HttpResponse.json(searched())])
  const { user } = renderPage('/threats?q=vault+country:DE')
  const press = await screen.findByRole('button', { name: 'Search full texts at the vendor (1 call)' })
  press.focus()
  await user.keyboard('{Enter}')
  expect(await within(await region()).findByRole('status')).toHaveTextContent(
    /^Full texts searched .* for vault: 12 threats found, 4 new to Lantern$/,
  )
  expect(await screen.findByRole('link', { name: 'Threat a-1' })).toBeVisible()
  expect(sent).toEqual([{ q: 'vault country:DE', offset: 0 }])
  expect(screen.queryByRole('button', { name: /1 call/ })).toBeNull()
  expect(await region()).toHaveFocus()
})

test('words that were searched a while ago say when, and can be searched again', async () => {
  const times = { searchedAt: inMinutes(-90), repeatableAt: inMinutes(-30) }
  const sent = serve(searched({ ...times, found: 0, added: 0 }), [() => HttpResponse.json(searched())])
  const { user } = renderPage('/threats?q=vault')
  expect(await within(await region()).findByRole('status')).toHaveTextContent('no threats found')
  await user.click(await screen.findByRole('button', { name: 'Search again (1 call)' }))
  await waitFor(() => expect(sent).toEqual([{ q: 'vault', offset: 0 }]))
})

test('further pages are loaded on request', async () => {
  const sent = serve(searched({ found: 100, nextOffset: 100, more: 230 }), [
    () => HttpResponse.json(searched({ found: 200, nextOffset: 200, more: 130 })),
  ])
  const { user } = renderPage('/threats?q=vault')
  expect(await within(await region()).findByRole('status')).toHaveTextContent('230 more at the vendor')
  await user.click(await screen.findByRole('button', { name: 'Load next page (1 call)' }))
  await waitFor(async () => expect(await region()).toHaveTextContent('130 more at the vendor'))
  expect(sent).toEqual([{ q: 'vault', offset: 100 }])
})

test('our own service costs no call, and is no vendor', async () => {
  serve(searched({ nextOffset: 100, more: 230 }), [], {}, { isOwnService: true, trialExpiresAt: null })
  renderPage('/threats?q=vault')
  expect(await screen.findByRole('button', { name: 'Load next page' })).toBeVisible()
  expect(await region()).toHaveTextContent('230 more')
  expect(await region()).not.toHaveTextContent(/vendor|call/)
})

test('nothing is offered where all full texts are searched already', async () => {
  serve({ ...searched(), isStored: true })
  renderPage('/threats?q=vault')
  expect(await region()).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Full texts' })).toBeNull())
})

test('a search that cannot be sent says why, and offers no button', async () => {
  serve({ words: null, refusal: 'This search has no words that must hold.', isStored: false, last: null })
  renderPage('/threats?q=country:DE')
  expect(await within(await region()).findByRole('status')).toHaveTextContent('no words that must hold')
  expect(within(await region()).queryByRole('button')).toBeNull()
})

test.each<[string, Partial<Source['sets']['earlier']>, RegExp]>([
  ['the vendor has no earlier API', { status: 'absent' }, /has no earlier API/],
  ['the earlier API has no list', { status: 'withoutList' }, /has no list of threats to search/],
  ['the plan does not include it', { status: 'forbidden' }, /plan does not include the earlier API/],
  [
    'no call is left today',
    { budgets: { day: { limit: 100, remaining: 0, resetsAt: inMinutes(60) }, minute: null } },
    /^.*No calls are left today until \d\d:\d\d/,
  ],
  [
    'no call is left this minute',
    { budgets: { minute: { limit: 5, remaining: 0, resetsAt: null }, day: null } },
    /No calls are left this minute\./,
  ],
  ['the vendor has set a pause', { blockedUntil: inMinutes(3) }, /takes no calls until/],
  [
    'the key is refused',
    { failure: { at: inMinutes(-1), why: 'key_refused', retryAt: null } },
    /refuses the API key/,
  ],
])('shows a reason instead of the button if %s', async (_, earlier, reason) => {
  serve(NEVER, [], earlier)
  renderPage('/threats?q=vault')
  await waitFor(async () => expect(await region()).toHaveTextContent(reason))
  expect(within(await region()).queryByRole('button')).toBeNull()
})

test('a limit period that has ended does not disable the button', async () => {
  const budgets = { day: { limit: 100, remaining: 0, resetsAt: inMinutes(-1) }, minute: null }
  serve(NEVER, [], { budgets })
  renderPage('/threats?q=vault')
  expect(await screen.findByRole('button', { name: /Search full texts/ })).toBeVisible()
})

test('a failure says what happened and what to do, and the search can be sent again', async () => {
  const problem = {
    type: 'urn:lantern:problem:rate_limited',
    title: 'The limit of calls is reached',
    detail: 'Try again at the time given.',
    status: 429,
    code: 'rate_limited',
  }
  serve(NEVER, [
    () => HttpResponse.json(problem, { status: 429 }),
    () => HttpResponse.json(searched({ found: 0 })),
  ])
  const { user } = renderPage('/threats?q=vault')
  await user.click(await screen.findByRole('button', { name: /Search full texts/ }))
  expect(await within(await region()).findByRole('alert')).toHaveTextContent(
    'Not searched: The limit of calls is reached. Try again at the time given.',
  )
  await user.click(await screen.findByRole('button', { name: /Search full texts/ }))
  await waitFor(async () => expect(await region()).toHaveTextContent('no threats found'))
  expect(within(await region()).queryByRole('alert')).toBeNull()
})

test('without words there is nothing to search', async () => {
  serve(NEVER)
  renderPage('/threats?country=DE')
  await screen.findByText('0 cases')
  expect(screen.queryByRole('region', { name: 'Full texts' })).toBeNull()
})
