import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const THREATS = [
  aThreat('one', { title: 'Okapi <b>', organizations: ['http://okapi.example'] }),
  aThreat('two'),
]
const GRACE = 'Grace <b>'
const PREVIEW = {
  cases: THREATS.map((threat, at) => ({
    id: String(at + 7),
    threat,
    claimCount: at + 2,
    owner: at === 0 ? GRACE : null,
    isClosed: false,
  })),
  joined: { owner: GRACE, isClosed: false },
  revision: 4,
}

async function openSelected(ids = ['one', 'two']) {
  const sent: unknown[] = []
  const keep = async (request: Request) => {
    sent.push(await request.json())
  }
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(aThreatList(THREATS, { total: 2, cases: 2 }))),
    http.post('/bff/cases/preview', () => HttpResponse.json(PREVIEW)),
    http.post('/bff/cases', async ({ request }) => {
      await keep(request)
      return HttpResponse.json({ undoId: '12' })
    }),
    http.post('/bff/cases/undo', async ({ request }) => {
      await keep(request)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const page = renderPage(`/threats?${ids.map((id) => `selected=${id}`).join('&')}`)
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  const openDialog = async () => {
    await page.user.click(await bar.findByRole('button', { name: 'More actions' }))
    await page.user.click(await screen.findByRole('menuitem', { name: 'Same victim…' }))
    return within(await screen.findByRole('dialog', { name: 'Same victim' }))
  }
  return { ...page, bar, sent, openDialog }
}

test('joins the cases of selected threats after a preview, and offers Undo', async () => {
  const { user, sent, openDialog, router } = await openSelected()
  const dialog = await openDialog()
  expect(await dialog.findByText(/^2 cases with 5 claims/)).toHaveTextContent(
    '2 cases with 5 claims will become one case. All claims get the owner who was chosen last, Grace <b>. The status of the joined case will be Investigating. Claims that are closed stay closed.',
  )
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Okapi <b>Case 7 · 2 claims · investigating, owner Grace <b> · hxxp[:]//okapi[.]example',
    'Threat twoCase 8 · 3 claims · new · Northwind Clinics',
  ])
  expect(sent).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Join cases' }))
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Undo' })).toHaveFocus())
  expect(dialog.getByRole('status')).toHaveTextContent('Joined to one case.')
  await user.click(dialog.getByRole('button', { name: 'Undo' }))
  expect(await dialog.findByText('Undone. The cases are separate again.')).toBeVisible()
  expect(sent).toEqual([{ action: 'join-all', threatIds: ['one', 'two'], revision: 4 }, { undoId: '12' }])

  await user.click(await dialog.findByRole('button', { name: 'Join cases' }))
  await dialog.findByText('Joined to one case.')
  fakeBff.use(
    http.get('/bff/threats', () =>
      HttpResponse.json(aThreatList([aThreat('joined')], { total: 2, cases: 1 })),
    ),
  )
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('selected'))
  // The rows are one, without a reload.
  expect(await screen.findByRole('link', { name: 'Threat joined' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Threat two' })).toBeNull()
})

test('says that joined cases have no owner, or are closed', async () => {
  const { openDialog } = await openSelected()
  const joined = { owner: null, isClosed: true }
  fakeBff.use(
    http.post('/bff/cases/preview', () =>
      HttpResponse.json({
        ...PREVIEW,
        cases: PREVIEW.cases.map((each) => ({ ...each, ...joined })),
        joined,
      }),
    ),
  )
  const dialog = await openDialog()
  expect(await dialog.findByText(/^2 cases/)).toHaveTextContent(
    'No claim has an owner. All claims are closed, so the joined case is closed, too.',
  )
})

test('says why too many cases are refused', async () => {
  const { openDialog } = await openSelected()
  fakeBff.use(http.post('/bff/cases/preview', () => problem('bad_request', 400)))
  const dialog = await openDialog()
  expect(await dialog.findByText('Problem bad_request')).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Join cases' })).toBeNull()
})

test('one selected threat, and a viewer, are offered nothing', async () => {
  const one = await openSelected(['one'])
  await one.bar.findByRole('button', { name: 'Star' })
  expect(one.bar.queryByRole('button', { name: 'More actions' })).toBeNull()
  one.unmount()
  fakeBff.use(
    http.get('/bff/session', () =>
      HttpResponse.json({ ...SESSION, user: { ...SESSION.user, role: 'viewer' } }),
    ),
  )
  const viewer = await openSelected()
  await viewer.bar.findByRole('button', { name: 'Copy defanged list' })
  expect(viewer.bar.queryByRole('button', { name: 'More actions' })).toBeNull()
})
