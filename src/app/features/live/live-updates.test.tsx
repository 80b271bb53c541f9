import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test('new records are announced with a link, and the count grows until they are read', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const { user } = renderPage('/nowhere')
  await expect.poll(() => streams.length).toBe(1)
  const tell = (added: number, removed: number) =>
    send(`data: ${JSON.stringify({ kind: 'data', change: { added, removed } })}\n\n`)
  const lines = () => screen.queryAllByText(/the vendor$/).map(({ textContent }) => textContent)

  tell(500, 5_000)
  tell(9_713, 0)
  await expect
    .poll(lines)
    .toEqual(['10,213 records added to the vendor', '5,000 records removed from the vendor'])
  expect(screen.getByRole('link', { name: '10,213 records added' })).toHaveAttribute('href', '/threats')

  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  await expect.poll(lines).toEqual([])
})

test('after a gap, a page refetches data older than the change log, and announces new threats', async () => {
  giveBrowserLocks()
  const { streams, addresses, send } = streamEvents()
  let change = 5
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/threats', () => {
      requests.push(`list at ${change}`)
      const list = aThreatList([aThreat('a-1')], {})
      return HttpResponse.json({ ...list, freshness: { ...list.freshness, change } })
    }),
    http.get('/bff/new-threats', ({ request }) => {
      requests.push(`new after ${new URL(request.url).searchParams.get('after')}`)
      return HttpResponse.json({ newThreats: 2, isWhole: true })
    }),
  )
  renderPage('/threats')
  await screen.findByText('1 case')
  await expect.poll(() => streams.length).toBe(1)
  send('data: {"kind":"position","last":5}\n\n')
  streams[0]?.close()
  await expect.poll(() => addresses.at(1)?.searchParams.get('after')).toBe('5')

  change = 7
  send('data: {"kind":"position","last":7}\n\n')
  await screen.findByRole('button', { name: '2 new claims' })
  // The list and the count are requested at the same time, and come in any order. After a gap cases may have changed, too:
  // the list may be requested once more.
  await expect
    .poll(() => [...new Set(requests)].toSorted())
    .toEqual(['list at 5', 'list at 7', 'new after 5'])
})

test('announces changes during the load of a list as soon as the list is loaded', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const before = Promise.withResolvers<void>()
  const requested = { lists: 0, sources: 0 }
  fakeBff.use(
    http.get('/bff/source', () => void requested.sources++),
    http.get('/bff/threats', async () => {
      const change = requested.lists++ === 0 ? 5 : 6
      if (change === 5) await before.promise
      const list = aThreatList([aThreat('a-1')], {})
      return HttpResponse.json({ ...list, freshness: { ...list.freshness, change } })
    }),
    http.get('/bff/new-threats', () => HttpResponse.json({ newThreats: 1, isWhole: true })),
  )
  renderPage('/threats')
  await expect.poll(() => [streams.length, requested.lists]).toEqual([1, 1])
  await expect.poll(() => requested.sources).toBeGreaterThan(0)
  const { sources } = requested
  send('data: {"kind":"window","last":6}\n\n')
  // By then all that the event makes old has been requested again.
  await expect.poll(() => requested.sources).toBeGreaterThan(sources)
  before.resolve()
  expect(await screen.findByRole('button', { name: '1 new claim' })).toBeVisible()
})
