import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { chooseValue } from '#test/support/app/choose-value.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const threats = [aThreat('a-1'), aThreat('a-2'), aThreat('a-3', { title: 'sold: acme.example' })]

beforeEach(() => {
  const { freshness } = aThreatList([])
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const isFiltered = new URL(request.url).searchParams.has('category')
      return HttpResponse.json(aThreatList(isFiltered ? threats.slice(2) : threats))
    }),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
})

async function openFeed() {
  const page = renderPage('/threats')
  await screen.findByText('3 cases')
  return page
}

test('j and k move the focus from row to row', async () => {
  const { user } = await openFeed()

  await user.keyboard('jj')
  expect(screen.getByRole('link', { name: 'Threat a-2' })).toHaveFocus()
  await user.keyboard('k')
  expect(screen.getByRole('link', { name: 'Threat a-1' })).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Threat a-2' })).toHaveFocus()
})

test('Enter opens the row, and Back returns to it', async () => {
  const { router, user } = await openFeed()
  await user.keyboard('jj{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Threat a-2' })
  expect(router.state.location.pathname).toBe('/threats/a-2')

  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Threats' }))

  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat a-2' })).toHaveFocus())
  expect(router.history.canGoBack()).toBe(false)
})

test('the next threat is one press away, and Back still leads to the list', async () => {
  const { router, user } = await openFeed()
  await user.click(screen.getByRole('link', { name: 'Threat a-1' }))
  await screen.findByText('1 of 3 loaded')

  await user.click(screen.getByRole('link', { name: 'Next threat' }))
  await screen.findByText('2 of 3 loaded')
  router.history.back()

  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat a-2' })).toHaveFocus())
})

test('on a threat, j and k go to its neighbours, and Escape to the list', async () => {
  const { router, user } = await openFeed()
  await user.keyboard('j{Enter}')
  await screen.findByText('1 of 3 loaded')

  await user.keyboard('jj')
  await screen.findByText('3 of 3 loaded')
  await user.keyboard('k')
  await screen.findByText('2 of 3 loaded')
  await user.keyboard('?')
  expect(await screen.findByRole('dialog')).toHaveTextContent('Back to the threats')
  await user.keyboard('{Escape}')
  expect(router.state.location.pathname).toBe('/threats/a-2')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat a-2' })).toHaveFocus())
})

test('/ goes to Search, where letters are letters', async () => {
  const { user } = await openFeed()

  await user.keyboard('/jx?')

  expect(screen.getByLabelText('Search')).toHaveFocus()
  expect(screen.getByLabelText('Search')).toHaveValue('jx?')
})

test('? shows the keys, and there they can be turned off', async () => {
  const { user } = await openFeed()
  await user.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(within(dialog).getByText('Next threat')).toBeVisible()

  await user.click(within(dialog).getByLabelText('Keyboard shortcuts'))
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await user.keyboard('j')

  expect(screen.getByRole('link', { name: 'Threat a-1' })).not.toHaveFocus()
})

test('a selection survives a change of filter, and is copied without live addresses', async () => {
  const { router, user } = await openFeed()
  await user.keyboard('jjx')
  expect(await screen.findByText('1 case selected')).toBeVisible()
  expect(router.state.location.search).toEqual({ selected: 'a-2' })

  await chooseValue(user, 'Category', 'DDoS')
  await screen.findByText('1 case')
  await user.click(screen.getByRole('checkbox', { name: 'Select row 1' }))
  expect(await screen.findByText('2 cases selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy defanged list' }))

  const copied = await navigator.clipboard.readText()
  expect(copied.split('\n')).toEqual([
    expect.stringContaining('Threat a-2'),
    expect.stringContaining('sold: acme[.]example'),
  ])
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
})

test('rows can be selected as fast as keys can be pressed', async () => {
  const { user } = await openFeed()

  await user.keyboard('jxjxjxx')

  expect(await screen.findByText('2 cases selected')).toBeVisible()
})

test('Shift selects all rows from the last selected one, by key, by press and by Space', async () => {
  const { router, user } = await openFeed()

  await user.keyboard('jxjj{Shift>}X{/Shift}')
  expect(await screen.findByText('3 cases selected')).toBeVisible()
  expect(router.state.location.search).toEqual({ selected: ['a-1', 'a-2', 'a-3'] })

  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select row 2' }))
  await user.keyboard('{/Shift}')
  expect(await screen.findByText('1 case selected')).toBeVisible()

  act(() => screen.getByRole('checkbox', { name: 'Select row 3' }).focus())
  await user.keyboard('{Shift>} {/Shift}')
  expect(await screen.findByText('3 cases selected')).toBeVisible()
})

test('the checkbox in the table head selects all loaded rows, and shows a partial selection', async () => {
  const { user } = await openFeed()
  const all = screen.getByRole('checkbox', { name: 'Select all on this page' })
  expect(all).not.toBeChecked()

  await user.keyboard('jx')
  await waitFor(() => expect(all).toBePartiallyChecked())
  await user.click(all)
  expect(await screen.findByText('3 cases selected')).toBeVisible()
  expect(all).toBeChecked()

  await user.click(all)
  await waitFor(() => expect(all).not.toBeChecked())
  expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
})

test('says when no more can be selected', async () => {
  const many = Array.from({ length: 101 }, (_, index) => aThreat(`b-${index}`))
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(aThreatList(many))))
  const { user } = renderPage('/threats')

  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))

  expect(await screen.findByText('100 cases selected')).toHaveTextContent('the most at once')
})

test('a pointer passing over rows spends no call', async () => {
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/threats/:id', ({ request }) => {
      requests.push(request.url)
      return HttpResponse.json({})
    }),
  )
  const { user } = await openFeed()

  await user.hover(screen.getByRole('link', { name: 'Threat a-1' }))
  await new Promise((resolve) => setTimeout(resolve, 200))

  expect(requests).toEqual([])
})
