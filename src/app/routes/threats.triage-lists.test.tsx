import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { isUnmatched } from '#app/features/threats/feed/threat-row.tsx'
import { triageFilterSchema } from '#contract/bff/triage-filter.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveTriage } from '#test/support/app/serve-triage.ts'

const THREATS = [aThreat('a-1'), aThreat('a-2'), aThreat('a-3')]

/** A BFF whose lists follow what is done with their threats. */
function serveLists() {
  const triage = serveTriage()
  const untouched = { read: null, starred: null, closed: null, owner: null, notes: 0 }
  const { freshness } = aThreatList([])
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const filter = triageFilterSchema.safeParse(new URL(request.url).searchParams.get('triage')).data
      const found = THREATS.filter(
        ({ id }) => !isUnmatched(filter, triage.stateOf(id) ?? { id, ...untouched }),
      )
      return HttpResponse.json(aThreatList(found, {}))
    }),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
  return triage
}

const titles = () => screen.queryAllByRole('link', { name: /^Threat / }).map(({ textContent }) => textContent)
const show = (name: string) =>
  within(screen.getByRole('group', { name: 'Show' })).getByRole('button', { name })

async function openList(triage: string) {
  const page = renderPage(`/threats?triage=${triage}`)
  await waitFor(() => expect(titles()).not.toEqual([]))
  return page
}

test('a row that no longer matches stays until the list is reloaded', async () => {
  serveLists()
  const { user } = await openList('unread')

  await user.keyboard('jr')
  const reload = await screen.findByRole('button', { name: '1 no longer matches' })
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2', 'Threat a-3'])
  await user.keyboard('jr')
  expect(await screen.findByRole('button', { name: '2 no longer match' })).toBe(reload)
  const row = screen.getByRole('link', { name: 'Threat a-1' }).closest('tr')
  expect(row).toHaveTextContent('Read. No longer matches.')

  await user.click(reload)
  await waitFor(() => expect(titles()).toEqual(['Threat a-3']))
  expect(screen.queryByRole('button', { name: /no longer/ })).toBeNull()
  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat a-3' })).toHaveFocus())
})

test('a row whose action is undone matches again', async () => {
  serveLists()
  const { user } = await openList('open')
  await user.keyboard('jc')
  await screen.findByRole('dialog')
  await user.keyboard('{Enter}')
  await screen.findByRole('button', { name: '1 no longer matches' })

  await user.keyboard('z')
  await waitFor(() => expect(screen.queryByRole('button', { name: /no longer/ })).toBeNull())
})

test('a list that is opened again contains later actions', async () => {
  serveLists()
  const { user } = await openList('unread')
  await user.keyboard('js')
  await screen.findByText('1 case starred')
  await user.click(show('Starred'))
  await waitFor(() => expect(titles()).toEqual(['Threat a-1']))

  await user.keyboard('jsr')
  await screen.findByRole('button', { name: '1 no longer matches' })
  await screen.findByText('1 case marked as read')
  await user.click(show('Unread'))
  await waitFor(() => expect(titles()).toEqual(['Threat a-2', 'Threat a-3']))
  await user.click(show('Starred'))
  await waitFor(() => expect(titles()).toEqual([]))
})

test('Back from a threat finds the list as it was left', async () => {
  const { actions } = serveLists()
  const { user } = await openList('unread')
  await user.click(screen.getByRole('link', { name: 'Threat a-1' }))
  await waitFor(() => expect(actions).toHaveLength(1))
  expect(await screen.findByText('1 of 3 loaded')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Next threat' }))
  await waitFor(() => expect(actions).toHaveLength(2))

  await user.keyboard('{Escape}')
  await screen.findByRole('button', { name: '2 no longer match' })
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2', 'Threat a-3'])
})

test('applies an action of a colleague', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const { act } = serveLists()
  await openList('unread')
  await expect.poll(() => streams.length).toBe(1)

  act({ action: 'read', ids: ['a-2'] })
  send('data: {"kind":"triage","ids":["a-2"]}\n\n')
  expect(await screen.findByRole('button', { name: '1 no longer matches' })).toBeVisible()
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2', 'Threat a-3'])
})
