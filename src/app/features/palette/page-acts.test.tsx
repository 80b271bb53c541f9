import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveTriage } from '#test/support/app/serve-triage.ts'

const CTRL_K = '{Control>}k{/Control}'
const { freshness } = aThreatList([])

beforeEach(() => {
  sessionStorage.clear()
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(aThreatList([aThreat('a-1'), aThreat('a-2')], {}))),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
})

/** What the palette offers for the page behind it. */
async function openActs({ user }: ReturnType<typeof renderPage>) {
  await user.keyboard(CTRL_K)
  await screen.findByRole('combobox', { name: /^Page, actor/ })
  const group = screen.queryByRole('group', { name: 'On this page' })
  return group
    ? within(group)
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
    : []
}

/** What offers them for a row is fetched when one is first in focus. */
async function openActsWith(page: ReturnType<typeof renderPage>, act: string) {
  let acts: (string | null)[] = []
  await waitFor(async () => {
    acts = await openActs(page)
    if (!acts.includes(act)) await page.user.keyboard(CTRL_K)
    expect(acts).toContain(act)
  })
  return acts
}

test('stars the threat that is open, by a few letters', async () => {
  const { actions } = serveTriage()
  const page = renderPage('/threats/a-1')
  await screen.findByRole('button', { name: 'Star' })
  expect(await openActs(page)).toEqual(
    expect.arrayContaining(['Star: this threat', 'Add a comment: this threat']),
  )

  await page.user.keyboard('star{Enter}')
  await waitFor(() => expect(actions).toContainEqual({ action: 'star', ids: ['a-1'] }))
  await waitFor(async () => expect(await openActs(page)).toContain('Unstar: this threat'))
})

test('closes all selected cases, and opens the dialog for the reason', async () => {
  serveTriage()
  const page = renderPage('/threats?selected=a-1&selected=a-2')
  await screen.findByText('2 cases selected')
  expect(await openActs(page)).toContain('Close case: 2 selected cases')

  await page.user.keyboard('close{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Close 2 cases' })).toBeVisible()
})

test('exports the list, and offers an alert for what is filtered', async () => {
  serveTriage()
  const page = renderPage('/threats?severity=high')
  await screen.findByRole('button', { name: 'Alert me' })
  expect(await openActs(page)).toEqual(
    expect.arrayContaining(['Alert me of these threats…', 'Export this list…']),
  )

  await page.user.keyboard('export{Enter}')
  expect(await screen.findByRole('dialog', { name: /Export/ })).toBeVisible()
})

test('offers viewers nothing that they may not do', async () => {
  signInAs('viewer')
  serveTriage()
  const page = renderPage('/threats?severity=high')
  await screen.findAllByRole('link', { name: 'Threat a-1' })
  expect(await openActs(page)).toEqual(['Export this list…'])

  await page.user.keyboard(`${CTRL_K}j`)
  expect(await openActsWith(page, 'Select “Threat a-1”')).toHaveLength(2)
  await page.user.keyboard('select{Enter}')
  await screen.findByText('1 case selected')
  expect(await openActs(page)).toEqual(['Export this list…', 'Unselect “Threat a-1”'])
})

test('acts on the focused row, named by its title, but is not found by that title', async () => {
  const { actions } = serveTriage()
  const title = 'Starved ports at acme[.]example'
  fakeBff.use(
    http.get('/bff/threats', () =>
      HttpResponse.json(aThreatList([aThreat('a-1'), { ...aThreat('a-2'), title }], {})),
    ),
  )
  const page = renderPage('/threats')
  await screen.findByRole('link', { name: title })
  await page.user.keyboard('jj')
  const acts = await openActsWith(page, `Star “${title}”`)
  expect(acts).toEqual(expect.arrayContaining([`Close case “${title}”`, `Select “${title}”`]))

  await page.user.keyboard('ports')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'On this page' })).not.toBeInTheDocument())
  await page.user.clear(screen.getByRole('combobox', { name: /^Page, actor/ }))
  await page.user.keyboard('star{Enter}')
  await waitFor(() => expect(actions).toContainEqual({ action: 'star', ids: ['a-2'] }))

  await openActs(page)
  await page.user.keyboard('select{Enter}')
  expect(await screen.findByText('1 case selected')).toBeVisible()
  // As the keys have it: commands are for what is selected.
  await page.user.keyboard('k')
  const ofSelected = await openActs(page)
  expect(ofSelected).toEqual(expect.arrayContaining(['Unstar: 1 selected case', 'Select “Threat a-1”']))
  expect(ofSelected).not.toContain('Star “Threat a-1”')
})
