import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const keysOf = (count: number) => Array.from({ length: count }, (_, at) => `actor ${at}`)
const group = (name: string) => screen.getByRole('button', { name: `${name} 1 threat` })
const findGroup = (name: string) => screen.findByRole('button', { name: `${name} 1 threat` })
const rowCount = () => Number(screen.getByRole('table').getAttribute('aria-rowcount')) - 1

/** The window, with a threat of each actor. */
function serve(keys: readonly string[], more = 0) {
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const query = new URL(request.url).searchParams
      const isAllBut = query.get('groups') === 'closed'
      const named = query.getAll(isAllBut ? 'open' : 'closed')
      const groupKeys = keys.filter((key) => named.includes(key) === isAllBut)
      const threats = groupKeys.map((key) => aThreat(key.replace(' ', '-')))
      return HttpResponse.json(aThreatList(threats, { total: keys.length, groupKeys }))
    }),
    http.get('/bff/groups/:name', ({ request }) => {
      const { searchParams } = new URL(request.url)
      expect([...searchParams.keys()].sort()).toEqual(['timeZone'])
      const groups = keys.map((key) => ({ key, label: key, count: 1 }))
      return HttpResponse.json({ groups, more, isExact: true })
    }),
  )
}

function addressWith(name: string, keys: readonly string[], start = 'group=actor') {
  return `/threats?${start}&${new URLSearchParams(keys.map((key) => [name, key]))}`
}

test('several hundred groups are closed and opened at once, by key, and one of them alone', async () => {
  serve(keysOf(400))
  const { router, user } = renderPage('/threats?group=actor')
  await findGroup('actor 0')
  expect(rowCount()).toBe(800)

  const menu = await screen.findByRole('button', { name: /^Sort and group/ })
  act(() => menu.focus())
  await user.keyboard('{Enter}')
  act(() => screen.getByRole('button', { name: 'Close all groups' }).focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?group=actor&groups=closed'))
  await waitFor(() => expect(rowCount()).toBe(400))
  expect(screen.queryByRole('link', { name: /^Threat actor/ })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Close all groups' })).toHaveFocus()

  act(() => group('actor 3').focus())
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('link', { name: 'Threat actor-3' })).toBeVisible()
  expect(router.state.location.href).toBe('/threats?group=actor&groups=closed&open=actor+3')
  expect(group('actor 3')).toHaveFocus()
  expect(rowCount()).toBe(401)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?group=actor&groups=closed'))

  await user.click(menu)
  await user.click(screen.getByRole('button', { name: 'Open all groups' }))
  await waitFor(() => expect(rowCount()).toBe(800))
  expect(router.state.location.href).toBe('/threats?group=actor')
})

test('a hundred groups are closed one by one; the next says what to do', async () => {
  const keys = keysOf(102)
  serve(keys)
  const { router, user } = renderPage(addressWith('closed', keys.slice(3)))
  await user.click(await findGroup('actor 0'))
  await waitFor(() => expect(group('actor 0')).toHaveAttribute('aria-expanded', 'false'))
  expect(router.state.location.search.closed).toHaveLength(100)

  const why = 'The address is full: close all groups, then open some'
  expect(group('actor 1')).toHaveAccessibleDescription(why)
  await user.click(group('actor 1'))
  expect(screen.getByText(why)).toBeVisible()
  expect(router.state.location.search.closed).toHaveLength(100)
  // One that is closed can be opened.
  await user.click(group('actor 0'))
  await waitFor(() => expect(router.state.location.search.closed).toHaveLength(99))
})

test('no more are opened among closed ones than an address takes, in names or in their length', async () => {
  const long = Array.from({ length: 60 }, (_, at) => `${at} ${'x'.repeat(50)}`)
  serve(['one more', ...long])
  const { router, user } = renderPage(addressWith('open', long, 'group=actor&groups=closed'))
  const head = await findGroup('one more')

  expect(head).toHaveAccessibleDescription('The address is full: close an open group first')
  await user.click(head)
  expect(router.state.location.search.open).toHaveLength(60)
})

test('an export has the order and the groups of the list, and what is closed there as well', async () => {
  serve(keysOf(3))
  const asked: string[] = []
  fakeBff.use(
    http.get('/bff/exports/threats', ({ request }) => {
      asked.push(new URL(request.url).search)
      return problem('window_empty', 503)
    }),
  )
  const { user } = renderPage(
    addressWith('open', ['actor 1'], 'sort=victim&order=desc&group=actor&groups=closed'),
  )
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export threats' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))

  expect(await within(dialog).findByRole('alert')).toBeVisible()
  expect(asked).toEqual(['?timeZone=UTC&sort=victim&order=desc&group=actor'])
})

test('says how many closed groups have no line', async () => {
  serve(keysOf(3), 40)
  const { user } = renderPage(addressWith('closed', ['actor 1', 'elsewhere']))
  await findGroup('actor 1')
  expect(screen.getByText(/^1 more group is closed and not listed here/)).toBeVisible()

  await user.click(await screen.findByRole('button', { name: /^Sort and group/ }))
  await user.click(screen.getByRole('button', { name: 'Close all groups' }))
  expect(await screen.findByText(/^40 more groups are closed and not listed here/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Open all groups' }))
  await waitFor(() => expect(screen.queryByText(/not listed here/)).not.toBeInTheDocument())
})
