import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { MissingParts } from '#contract/bff/threat-list.ts'
import { aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveThreat } from '#test/support/app/serve-threat.ts'

const { freshness } = aThreatList([])

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('withheld and missing parts have different texts', async () => {
  serveThreat(
    aThreatDetail('a-1', {
      content: null,
      analysis: null,
      sourceUrl: null,
      actors: [],
      redacted: ['content', 'analysis', 'sourceUrl', 'evidence'],
    }),
  )
  renderPage('/threats/a-1')

  for (const name of ['Content', 'Analysis', 'Evidence']) {
    expect((await section(name)).getByText('Withheld')).toBeVisible()
  }
  const facts = await section('Facts')
  expect(facts.getByText('Source address').parentElement).toHaveTextContent('Withheld by your plan')
  expect(facts.getByText('Actors').parentElement).toHaveTextContent('Not given')
})

/** The record as its list has it. */
const listed = (missing: MissingParts, stale = false) => ({
  threat: aThreatDetail('a-1', {
    content: null,
    analysis: null,
    sourceUrl: null,
    industries: [],
    records: [],
  }),
  freshness: { ...freshness, isStale: stale, staleReason: stale ? 'It hangs.' : null },
  missing,
})

test('stored parts show while the vendor is queried, and the rest once it answers', async () => {
  const requests = Promise.withResolvers<void>()
  serveThreat(aThreatDetail('a-1'))
  fakeBff.use(
    http.get('/bff/threats/:id', async () => {
      await requests.promise
      return HttpResponse.json({ threat: aThreatDetail('a-1'), freshness })
    }),
    http.get('/bff/threats/:id/stored', () =>
      HttpResponse.json(listed({ state: 'reading', because: 'the vendor is being queried' })),
    ),
  )
  renderPage('/threats/a-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })).toBeVisible()
  expect((await section('Content')).getByText('Asking the vendor…')).toBeVisible()
  expect((await section('Facts')).getByText('Pale Harbour')).toBeVisible()
  expect(screen.queryByText(/not given/i)).not.toBeInTheDocument()

  requests.resolve()
  expect(await screen.findByText('We hold 40 GB of their files.')).toBeVisible()
  expect(screen.queryByText('Asking the vendor…')).not.toBeInTheDocument()
})

test('each part that could not be read shows the reason and a retry', async () => {
  const answers = [
    listed({ state: 'unavailable', because: 'the vendor took too long to answer' }, true),
    { threat: aThreatDetail('a-1'), freshness },
  ]
  serveThreat(aThreatDetail('a-1'))
  fakeBff.use(http.get('/bff/threats/:id', () => HttpResponse.json(answers.shift())))
  const { user } = renderPage('/threats/a-1')
  const words = 'Not available now, because the vendor took too long to answer'
  for (const name of ['Analysis', 'Content', 'Evidence'])
    expect((await section(name)).getByText(words)).toBeVisible()
  const facts = await section('Facts')
  expect(facts.getByText('Source address').parentElement).toHaveTextContent(`${words}:`)
  expect(facts.getByText('from the list of API v1')).toBeVisible()
  expect(screen.queryByText(/not given|no analysis/i)).not.toBeInTheDocument()

  await user.click(screen.getByRole('button', { name: 'Read the details again' }))
  expect(await screen.findByText('We hold 40 GB of their files.')).toBeVisible()
})

test('what the plan leaves out is not offered again', async () => {
  const because = 'your plan does not include the details of this threat'
  serveThreat(aThreatDetail('a-1'))
  fakeBff.use(
    http.get('/bff/threats/:id', () => HttpResponse.json(listed({ state: 'unavailable', because }))),
  )
  renderPage('/threats/a-1')
  expect((await section('Content')).getByText(`Not available now, because ${because}`)).toBeVisible()
  expect(screen.queryByRole('button', { name: /again/ })).not.toBeInTheDocument()
})

test('shows a record that the vendor deleted, and marks it “Gone from the vendor”', async () => {
  const because = 'the vendor does not have this record any more'
  serveThreat(aThreatDetail('a-1'))
  fakeBff.use(http.get('/bff/threats/:id', () => HttpResponse.json(listed({ state: 'gone', because }, true))))
  renderPage('/threats/a-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })).toBeVisible()
  expect(screen.getByText('Gone from the vendor')).toBeVisible()
  expect((await section('Content')).getByText(`Not available any more, because ${because}`)).toBeVisible()
  expect(screen.queryByText(/not found/i)).not.toBeInTheDocument()
})
