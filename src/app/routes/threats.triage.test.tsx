import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyAction } from '#app/features/triage/run-triage.ts'
import { type TriageAction, triageActionSchema } from '#contract/bff/triage.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { ADA, MARK, serveTriage } from '#test/support/app/serve-triage.ts'

const { freshness } = aThreatList([])
const threats = [aThreat('a-1'), aThreat('a-2'), aThreat('a-3')]

beforeEach(() => {
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(aThreatList(threats, {}))),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
})

afterEach(() => vi.unstubAllGlobals())

async function openFeed(url = '/threats') {
  const page = renderPage(url)
  await screen.findByText('3 cases')
  return page
}

function rowOf(name: string) {
  const row = screen.getByRole('link', { name }).closest('tr')
  if (!row) throw new Error(`no row of ${name}`)
  return within(row)
}

test('a star by key shows in the row, and z takes it back', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed()

  await user.keyboard('js')
  expect(await rowOf('Threat a-1').findByText('Starred.')).toBeInTheDocument()
  expect(await screen.findByText('1 case starred')).toBeVisible()
  expect(actions).toEqual([{ action: 'star', ids: ['a-1'] }])

  await user.keyboard('z')
  expect(await screen.findByText('Star undone')).toBeVisible()
  await waitFor(() => expect(rowOf('Threat a-1').queryByText('Starred.')).not.toBeInTheDocument())
})

test('a threat is closed with a reason by keys alone, and its row says why', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed()

  await user.keyboard('jjc')
  await screen.findByRole('dialog', { name: 'Close 1 case' })
  await user.keyboard('2{Enter}')

  await waitFor(() =>
    expect(screen.getByRole('row', { name: /Threat a-2/ })).toHaveTextContent(
      'Closed: Duplicate · Ada Example, ',
    ),
  )
  expect(actions).toEqual([{ action: 'close', ids: ['a-2'], reason: 'duplicate', text: null }])
  await user.keyboard('c')
  await waitFor(() => expect(actions.at(-1)).toEqual({ action: 'reopen', ids: ['a-2'] }))
})

test('another reason needs a text', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed()
  await user.keyboard('jc')
  const dialog = within(await screen.findByRole('dialog'))

  await user.click(dialog.getByLabelText(/^Other reason/))
  await user.click(dialog.getByRole('button', { name: 'Close case' }))
  expect(dialog.getByLabelText('What reason')).toHaveAccessibleDescription(
    'Say which, so that the team knows.',
  )
  await user.type(dialog.getByLabelText('What reason'), 'a test post{Enter}')

  await waitFor(() => expect(actions.at(-1)).toMatchObject({ reason: 'other', text: 'a test post' }))
})

test('all that is selected is triaged at once', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed('/threats?selected=a-1&selected=a-3')
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))

  await user.click(await bar.findByRole('button', { name: 'Mark as read' }))

  expect(await screen.findByText('2 cases marked as read')).toBeVisible()
  expect(actions).toEqual([{ action: 'read', ids: ['a-1', 'a-3'] }])
  expect(await bar.findByRole('button', { name: 'Mark as unread' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Marking as read undone')).toBeVisible()
  expect(await bar.findByRole('button', { name: 'Mark as read' })).toBeVisible()
})

test('selected threats that are not loaded determine the buttons, too', async () => {
  const { actions } = serveTriage()
  const star: TriageAction = { action: 'star', ids: ['a-1', 'z-9'] }
  fakeBff.use(
    http.post('/bff/triage/states', async ({ request }) => {
      const { ids } = Object(await request.json())
      const states = applyAction([], star, ADA).filter(({ id }) => ids.includes(id))
      return HttpResponse.json({ states })
    }),
  )
  const { user } = await openFeed('/threats?selected=a-1&selected=z-9')
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))

  await user.click(await bar.findByRole('button', { name: 'Unstar' }))

  await waitFor(() => expect(actions).toEqual([{ action: 'unstar', ids: ['a-1', 'z-9'] }]))
})

test('a takes a case, and releases it', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed()

  await user.keyboard('ja')
  expect(await screen.findByText('1 case assigned')).toBeVisible()
  expect(actions).toEqual([{ action: 'assign', ids: ['a-1'], ownerId: SESSION.user.id }])
  expect(await rowOf('Threat a-1').findByText('Owned by you.')).toBeInTheDocument()

  await user.keyboard('a')
  expect(await screen.findByText('1 case released')).toBeVisible()
  expect(rowOf('Threat a-1').queryByText('Owned by you.')).not.toBeInTheDocument()
})

test('a case is assigned to somebody by keys alone', async () => {
  const { actions } = serveTriage()
  const grace = { id: 'a0000000-0000-4000-8000-000000000002', name: 'Grace <b>Example</b>' }
  fakeBff.use(
    http.get('/bff/triage/owners', () =>
      HttpResponse.json({ owners: [grace, { id: SESSION.user.id, name: SESSION.user.name }] }),
    ),
  )
  const { user } = await openFeed()
  await user.keyboard('jA')
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign 1 case' }))
  const radios = await dialog.findAllByRole('radio')
  expect(radios.map((radio) => radio.closest('label')?.textContent)).toEqual([
    'Ada Example (you)',
    'Grace <b>Example</b>',
    'Nobody',
  ])
  expect(radios[0]).toBeChecked()
  expect(radios[0]).toHaveFocus()
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(actions).toEqual([{ action: 'assign', ids: ['a-1'], ownerId: grace.id }]))
})

test('a decision that replaces another names its user', async () => {
  serveTriage()
  const overtook = { at: MARK.at, who: 'Grace (grace@lantern.example)' }
  fakeBff.use(
    http.post('/bff/triage', () => {
      const states = applyAction([], { action: 'assign', ids: ['a-1'], ownerId: SESSION.user.id }, ADA)
      return HttpResponse.json({ states, undoId: '1', caseCount: 1, overtook })
    }),
  )
  const { user } = await openFeed()
  await user.keyboard('ja')
  const done = await screen.findByText(/^1 case assigned/)
  expect(done).toHaveTextContent('1 case assigned. This replaces what Grace (grace@lantern.example) did')
})

test('on a phone a row has a menu of what can be done with it', async () => {
  vi.stubGlobal('innerWidth', 390)
  const { actions } = serveTriage()
  const { user } = await openFeed()

  const button = screen.getByRole('button', { name: 'Actions for row 2' })
  const menuId = button.getAttribute('popovertarget') ?? ''
  // Its code comes after the page's.
  await waitFor(() => expect(document.getElementById(menuId)).not.toBeNull())
  await user.click(button)
  const menu = within(await screen.findByRole('menu', { name: 'Actions' }))
  await waitFor(() => expect(menu.getByRole('menuitem', { name: 'Mark as read' })).toHaveFocus())
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')

  expect(await rowOf('Threat a-2').findByText('Starred.')).toBeInTheDocument()
  expect(actions).toEqual([{ action: 'star', ids: ['a-2'] }])
  await user.click(screen.getByRole('button', { name: 'Actions for row 2' }))
  expect(await menu.findByRole('menuitem', { name: 'Unstar' })).toBeVisible()
})

test('a failed action is rolled back and reported', async () => {
  fakeBff.use(http.post('/bff/triage', () => problem('internal', 500)))
  const { user } = await openFeed()

  await user.keyboard('js')

  expect(await screen.findByRole('alert')).toHaveTextContent('Not done. Problem internal.')
  expect(rowOf('Threat a-1').queryByText('Starred.')).not.toBeInTheDocument()
})

test('opening a threat marks it as read, and says so only in its row', async () => {
  const { actions } = serveTriage()
  const { user } = await openFeed()
  await user.keyboard('j{Enter}')
  expect(await screen.findByText(/^Read by/)).toHaveTextContent('Read by Ada Example, ')
  expect(actions).toEqual([{ action: 'read', ids: ['a-1'] }])

  await user.click(screen.getByRole('button', { name: 'Mark as unread' }))
  await waitFor(() => expect(actions.at(-1)).toEqual({ action: 'unread', ids: ['a-1'] }))
  await user.keyboard('{Escape}')

  expect(await screen.findByRole('link', { name: 'Threat a-1' })).toBeVisible()
  expect(screen.getByText('1 case marked as unread')).toBeVisible()
  expect(actions).toHaveLength(2)
})

test('a threat’s page shows who did what, and what was undone', async () => {
  const event = { at: MARK.at, who: MARK.who, reason: null, owner: null, text: null, isUndone: false }
  const events = [
    { ...event, id: '3', action: 'assign', owner: 'Grace <Example>' },
    { ...event, id: '2', action: 'note', text: 'Asked <b>http://evil.example</b>' },
    { ...event, id: '1', action: 'close', reason: 'duplicate', isUndone: true },
  ]
  const { actions } = serveTriage()
  fakeBff.use(http.get('/bff/triage/:id/history', () => HttpResponse.json({ events })))
  renderPage('/threats/a-1')

  const team = within(await screen.findByRole('region', { name: 'Team' }))
  const [assignment, comment, closing] = await team.findAllByRole('listitem')
  expect(assignment).toHaveTextContent('assigned it to Grace <Example>')
  expect(comment).toHaveTextContent('added a comment')
  expect(comment).toHaveTextContent('Asked <b>hxxp[:]//evil[.]example</b>')
  expect(closing).toHaveTextContent('closed it: Duplicate (undone)')
  await waitFor(() => expect(actions).toEqual([{ action: 'read', ids: ['a-1'] }]))
})

test('a comment whose answer was lost is sent again under the same key, and the next under another', async () => {
  serveTriage()
  const sent: unknown[] = []
  fakeBff.use(
    http.get('/bff/triage/:id/history', () => HttpResponse.json({ events: [] })),
    http.get('/healthz', () => new HttpResponse('ok')),
    http.post('/bff/triage', async ({ request }) => {
      const action = triageActionSchema.parse(await request.json())
      if (action.action === 'note' && sent.push(action) === 1) return HttpResponse.error()
      return HttpResponse.json({ states: [], undoId: null, caseCount: 0, overtook: null })
    }),
  )
  const { user } = renderPage('/threats/a-1')
  const comment = await screen.findByLabelText('Comment for the team')
  await user.type(comment, 'Ask legal')
  await user.click(screen.getByRole('button', { name: 'Add comment' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('it may not be done')
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'Add comment' }))
    expect(comment).toHaveValue('')
  })
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]).toMatchObject({ text: 'Ask legal', idempotencyKey: expect.any(String) })

  await user.type(comment, 'Ask legal')
  await user.click(screen.getByRole('button', { name: 'Add comment' }))
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]).not.toEqual(sent[0])
})

test('a comment that is pressed twice is sent once', async () => {
  serveTriage()
  const sent: unknown[] = []
  const answer = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/triage/:id/history', () => HttpResponse.json({ events: [] })),
    http.post('/bff/triage', async ({ request }) => {
      const action = triageActionSchema.parse(await request.json())
      if (action.action === 'note') {
        sent.push(action)
        await answer.promise
      }
      return HttpResponse.json({ states: [], undoId: null, caseCount: 0, overtook: null })
    }),
  )
  const { user } = renderPage('/threats/a-1')
  const comment = await screen.findByLabelText('Comment for the team')
  await user.type(comment, 'Ask legal')
  await user.click(screen.getByRole('button', { name: 'Add comment' }))
  await user.click(screen.getByRole('button', { name: 'Add comment' }))
  await user.type(comment, '{Control>}{Enter}{/Control}')
  answer.resolve()
  await waitFor(() => expect(comment).toHaveValue(''))
  expect(sent).toHaveLength(1)
})

test('a viewer sees what was done, and is offered nothing', async () => {
  const { actions } = serveTriage()
  const user = { ...SESSION.user, role: 'viewer' }
  fakeBff.use(
    http.get('/bff/session', () => HttpResponse.json({ ...SESSION, user })),
    http.post('/bff/triage/states', () =>
      HttpResponse.json({ states: applyAction([], { action: 'star', ids: ['a-1'] }, ADA) }),
    ),
  )
  const page = await openFeed()
  expect(await rowOf('Threat a-1').findByText('Starred.')).toBeInTheDocument()

  await page.user.keyboard('jsc')
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Not done. Viewers read only. Triage takes the role of analyst',
  )
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  await page.user.click(screen.getByRole('link', { name: 'Threat a-1' }))
  await screen.findByRole('region', { name: 'Team' })

  expect(screen.queryByRole('button', { name: 'Unstar' })).not.toBeInTheDocument()
  expect(actions).toEqual([])
})

test('narrows the list by what the team has done', async () => {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      requests.push(new URL(request.url).searchParams)
      return HttpResponse.json(aThreatList(threats, {}))
    }),
  )
  const { router, user } = await openFeed()

  const show = within(screen.getByRole('group', { name: 'Show' }))
  await user.click(show.getByRole('button', { name: 'Unread' }))

  await waitFor(() => expect(router.state.location.search).toEqual({ triage: 'unread' }))
  await waitFor(() => expect(requests.at(-1)?.get('triage')).toBe('unread'))
  expect(show.getByRole('button', { name: 'Unread' })).toHaveAttribute('aria-pressed', 'true')
})
