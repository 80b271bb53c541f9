import { screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { makeActorAnswer } from '#test/fixtures/actor-fixtures.ts'
import { makeCountryAnswer } from '#test/fixtures/country-fixtures.ts'
import { OVERVIEW } from '#test/fixtures/overview-fixtures.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const ROW = aThreat('a-1', { title: 'Northwind Clinics extorted', severity: 'critical' })
const LIST = aThreatList([ROW])
const { freshness } = LIST

/** Pages that show the row, of a BFF that never answers for more of it; counts the requests for the details. */
function holdDetails() {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(LIST)),
    http.get('/bff/overview', () => HttpResponse.json({ ...OVERVIEW, newestCritical: [ROW] })),
    http.get('/bff/actors/:name', () => HttpResponse.json(makeActorAnswer('Pale Harbour'))),
    http.get('/bff/countries/:code', () => HttpResponse.json(makeCountryAnswer('DE'))),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/threats/:id/stored', async () => {
      requests.push('stored')
      await delay('infinite')
    }),
    http.get('/bff/threats/:id', async () => {
      requests.push('details')
      await delay('infinite')
    }),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
  return requests
}

const section = async (name: string) => within(await screen.findByRole('region', { name }))

async function expectRowOnPage() {
  const heading = await screen.findByRole('heading', { level: 1, name: 'Northwind Clinics extorted' })
  expect(heading.parentElement).toHaveTextContent('Critical')
  const facts = await section('Facts')
  expect(facts.getByText('Pale Harbour')).toBeVisible()
  expect(facts.getByText('Northwind Clinics')).toBeVisible()
  expect((await section('Content')).getByText('Files are said to be for sale.')).toBeVisible()
}

test.each(['/threats', '/', '/actors/Pale%20Harbour', '/countries/DE'])(
  'a threat that is opened from %s shows what its row knows while the details are on their way',
  async (path) => {
    holdDetails()
    const { user, router } = renderPage(path)
    await user.click(await screen.findByRole('link', { name: 'Northwind Clinics extorted' }))

    await waitFor(() => expect(router.state.location.pathname).toBe('/threats/a-1'))
    await expectRowOnPage()
    expect((await section('Content')).getByText('Asking the vendor…')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Reading the details…' })).toBeVisible()
  },
)

test('when details fail, the page keeps the data of the row, and a retry loads them', async () => {
  holdDetails()
  const answers = [
    () => problem('upstream_unavailable', 502),
    () => HttpResponse.json({ threat: { ...aThreatDetail('a-1'), ...ROW }, freshness }),
  ]
  fakeBff.use(
    http.get('/bff/threats/:id/stored', () => HttpResponse.json(null)),
    http.get('/bff/threats/:id', () => answers.shift()?.()),
  )
  const { user } = renderPage('/threats')
  await user.click(await screen.findByRole('link', { name: 'Northwind Clinics extorted' }))

  await screen.findByRole('alert')
  await expectRowOnPage()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('We hold 40 GB of their files.')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test.each(['hover', 'j'])('%s on a row requests the stored threat, and no details', async (by) => {
  const requests = holdDetails()
  const { user } = renderPage('/threats')
  const link = await screen.findByRole('link', { name: 'Northwind Clinics extorted' })
  if (by === 'hover') await user.hover(link)
  else await user.keyboard('j')

  await waitFor(() => expect(requests).toEqual(['stored']))
  await user.click(link)
  await waitFor(() => expect(requests).toEqual(['stored', 'details']))
})
