import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { GroupAnswer } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const THREATS = [
  { key: 'DE', threat: aThreat('de-1') },
  { key: 'DE', threat: aThreat('de-2') },
  { key: 'FR', threat: aThreat('fr-1') },
  { key: '', threat: aThreat('none-1', { countries: [] }) },
]
const GROUPS = [
  { key: 'DE', label: 'Germany', count: 2 },
  { key: 'FR', label: 'Frankreich', count: 1 },
  { key: '', label: '', count: 1 },
]
let requests: URLSearchParams[] = []
const freshness = aThreatList([]).freshness

/** The window, grouped by country. */
function serve(groups: GroupAnswer['groups'] = GROUPS, rows = THREATS) {
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const query = new URL(request.url).searchParams
      requests.push(query)
      const open = rows.filter(({ key }) => !query.getAll('closed').includes(key))
      const threats = open.map(({ threat }) => threat)
      const groupKeys = query.has('group') ? { groupKeys: open.map(({ key }) => key) } : {}
      return HttpResponse.json(aThreatList(threats, { total: rows.length, ...groupKeys }))
    }),
    http.get('/bff/groups/:name', () => HttpResponse.json({ groups, more: 0, isExact: true })),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
}

beforeEach(() => {
  requests = []
  serve()
})

const group = (name: string | RegExp) => screen.getByRole('button', { name })
/** The list line by line: heads as they are named, threats by their titles. */
const lines = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('button[aria-expanded], a')?.textContent)

test('shows group headings with names and counts between the threats', async () => {
  renderPage('/threats?group=country')
  expect(await screen.findByRole('button', { name: /^Germany 2 cases$/ })).toHaveAttribute(
    'aria-expanded',
    'true',
  )

  expect(lines().map((line) => line?.trim())).toEqual([
    'Germany 2 cases',
    'Threat de-1',
    'Threat de-2',
    'France 1 case',
    'Threat fr-1',
    'No country given 1 case',
    'Threat none-1',
  ])
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '8')
  expect(screen.getByRole('columnheader', { name: /Germany/ })).toBeVisible()
})

test('a closed group keeps its position and its focus, and does not change the address', async () => {
  const { router, user } = renderPage('/threats?group=country')
  await screen.findByRole('button', { name: /^Germany/ })

  act(() => group(/^Germany/).focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(requests.at(-1)?.getAll('closed')).toEqual(['DE']))
  expect(group(/^Germany/)).toHaveAttribute('aria-expanded', 'false')
  expect(group(/^Germany/)).toHaveFocus()
  expect(
    lines()
      .slice(0, 2)
      .map((line) => line?.trim()),
  ).toEqual(['Germany 2 cases', 'France 1 case'])
  expect(await screen.findByText('End of list · 2 cases in open groups')).toBeVisible()
  expect(screen.getByText('4 cases')).toBeVisible()

  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat de-1' })).toBeVisible())
  expect(router.state.location.href).toBe('/threats?group=country')
  expect(group(/^Germany/)).toHaveFocus()
})

test('a heading on the second page keeps its position and focus during a refresh', async () => {
  const groups = ['A', 'B', 'C'].map((key) => ({ key, label: `Actor ${key}`, count: 20 }))
  const rows = groups.flatMap(({ key }) =>
    Array.from({ length: 20 }, (_, at) => ({ key, threat: aThreat(`${key}-${at}`) })),
  )
  serve(groups)
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const query = new URL(request.url).searchParams
      const open = rows.filter(({ key }) => !query.getAll('closed').includes(key))
      const from = Number(query.get('cursor') ?? 0)
      const page = open.slice(from, from + 20)
      const groupKeys = page.map(({ key }) => key)
      const nextCursor = from + 20 < open.length ? String(from + 20) : null
      const threats = page.map(({ threat }) => threat)
      return HttpResponse.json(aThreatList(threats, { groupKeys, nextCursor }))
    }),
  )
  const { user } = renderPage('/threats?group=actor')
  const head = await screen.findByRole('button', { name: /^Actor B/ })
  act(() => head.focus())
  const heads = new Set<Element | null>()
  const watch = new MutationObserver(() => heads.add(screen.queryByRole('button', { name: /^Actor B/ })))
  watch.observe(document.body, { childList: true, subtree: true })

  await user.keyboard('{Enter}')
  await screen.findByRole('button', { name: /^Actor B/, expanded: false })
  await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
  watch.disconnect()

  expect(group(/^Actor B/)).toHaveFocus()
  expect(heads).not.toContain(null)
})

test('a list whose groups are all closed contains only headings', async () => {
  const { user } = renderPage('/threats?group=country')
  for (const name of [/^Germany/, /^France/, /^No country given/]) {
    await user.click(await screen.findByRole('button', { name }))
    await screen.findByRole('button', { name, expanded: false })
  }
  await waitFor(() => expect(requests.at(-1)?.getAll('closed')).toEqual(['DE', 'FR', '']))
  expect(lines()).toHaveLength(3)
  expect(screen.queryByText(/No threats match/)).not.toBeInTheDocument()
})

test('a link of earlier versions, which named closed groups, opens with all of them open', async () => {
  renderPage('/threats?group=country&closed=DE&groups=closed&open=FR')
  expect(await screen.findByRole('link', { name: 'Threat de-1' })).toBeVisible()
  expect(requests.every((query) => !query.has('closed') && !query.has('groups'))).toBe(true)
})

test('the group that was closed first opens again when a request cannot name all closed groups', async () => {
  const long = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(900))
  serve(
    long.map((key) => ({ key, label: key.slice(0, 5), count: 1 })),
    long.map((key) => ({ key, threat: aThreat(key.slice(0, 3)) })),
  )
  const { user } = renderPage('/threats?group=actor')
  for (const key of long) {
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${key.slice(0, 5)}`) }))
  }
  await waitFor(() => expect(requests.at(-1)?.getAll('closed')).toEqual(long.slice(1)))
  expect(await screen.findByRole('link', { name: 'Threat AAA' })).toBeVisible()
})

test('an export has the order and the groups of the list, and what is closed there as well', async () => {
  const exported: string[] = []
  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/exports/threats', async ({ request }) => {
      exported.push(new URL(request.url).search)
      await isOver
      return problem('window_empty', 503)
    }),
  )
  const { user } = renderPage('/threats?sort=victim&order=desc&group=country')
  await user.click(await screen.findByRole('button', { name: /^Germany/ }))
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export claims' }))
  await user.click(dialog.getByRole('button', { name: 'Export' }))
  expect(await dialog.findByText('Counting the claims…')).toBeVisible()
  finish()

  expect(await dialog.findByRole('alert')).toBeVisible()
  expect(exported).toEqual(['?timeZone=UTC&sort=victim&order=desc&group=country'])
})

test('j and k go from threat to threat, over the heads', async () => {
  const { user } = renderPage('/threats?group=country')
  await screen.findByRole('button', { name: /^Germany/ })

  await user.keyboard('jjj')
  expect(screen.getByRole('link', { name: 'Threat fr-1' })).toHaveFocus()
  await user.keyboard('k')
  expect(screen.getByRole('link', { name: 'Threat de-2' })).toHaveFocus()
  act(() => group(/^No country/).focus())
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: 'Threat none-1' })).toHaveFocus()
})

test('neighbours of a threat are those of the grouped list, and Back returns to its row', async () => {
  const { user } = renderPage('/threats?group=country')
  await user.click(await screen.findByRole('button', { name: /^France/ }))
  await screen.findByRole('button', { name: /^France/, expanded: false })
  await user.click(await screen.findByRole('link', { name: 'Threat de-2' }))
  await screen.findByText('2 of 3 loaded')
  await user.click(screen.getByRole('link', { name: 'Next threat' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Threat none-1' })).toBeVisible()

  await user.keyboard('{Escape}')

  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat none-1' })).toHaveFocus())
  expect(group(/^France/)).toHaveAttribute('aria-expanded', 'false')
})

test('other groups, or none, have all of them open', async () => {
  const { router, user } = renderPage('/threats?group=country')
  await user.click(await screen.findByRole('button', { name: /^Germany/ }))
  await screen.findByRole('button', { name: /^Germany/, expanded: false })
  await user.click(await screen.findByRole('button', { name: 'Sort and group: Country · Newest first' }))
  await user.selectOptions(screen.getByLabelText('Group by'), 'Day')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?group=day'))
  await waitFor(() => expect(requests.at(-1)?.get('group')).toBe('day'))
  expect(requests.at(-1)?.has('closed')).toBe(false)
  await user.selectOptions(screen.getByLabelText('Group by'), 'No groups')
  await waitFor(() => expect(router.state.location.href).toBe('/threats'))
})

test('the name of a group is text, whatever it says', async () => {
  const nasty = Object.values(NASTY_STRINGS).slice(0, 12)
  serve(
    nasty.map((label, at) => ({ key: `k${at}`, label, count: 1 })),
    nasty.map((_, at) => ({ key: `k${at}`, threat: aThreat(`a-${at}`) })),
  )
  renderPage('/threats?group=actor')

  await screen.findByRole('link', { name: 'Threat a-0' })
  const table = screen.getByRole('table')
  expect(table.querySelectorAll('script, style, form, h1, iframe, object')).toHaveLength(0)
  expect(table.querySelectorAll('button[aria-expanded]').length).toBeGreaterThan(5)
})
