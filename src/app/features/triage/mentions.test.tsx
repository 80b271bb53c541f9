import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { MARK, serveTriage } from '#test/support/app/serve-triage.ts'

const GRACE = { id: 'a0000000-0000-4000-8000-000000000002', name: 'Grace <b>Hopper</b>', email: null }
const ONE = { id: 'a0000000-0000-4000-8000-000000000003', name: 'Zoe', email: 'one@corp.example' }
const OTHER = { ...ONE, id: 'a0000000-0000-4000-8000-000000000004', email: 'other@corp.example' }

const { freshness } = aThreatList([])

// Drafts stay in the tab.
afterEach(() => sessionStorage.clear())

async function openThreat(users: object[] = [SESSION.user, GRACE, ONE, OTHER]) {
  const triage = serveTriage()
  fakeBff.use(
    http.get('/bff/threats/:id', () => HttpResponse.json({ threat: aThreatDetail('a-1'), freshness })),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
    http.get('/bff/alert-profiles/users', () => HttpResponse.json({ users })),
  )
  const page = renderPage('/threats/a-1')
  const field = await screen.findByLabelText('Comment for the team')
  const comments = () => triage.actions.filter(({ action }) => action === 'note')
  return { ...page, field, comments }
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('an @ offers the other users; keys choose one, and the comment says by id who is meant', async () => {
  const { user, field, comments } = await openThreat()
  await user.type(field, 'Ask @')
  await waitFor(() =>
    expect(options()).toEqual(['Grace <b>Hopper</b>', 'Zoe one@corp.example', 'Zoe other@corp.example']),
  )
  const [first] = screen.getAllByRole('option')
  expect(field).toHaveAttribute('aria-activedescendant', first?.id)
  expect(field).toHaveAttribute('aria-controls', screen.getByRole('listbox', { name: 'Users' }).id)
  expect(screen.getByText('3 users')).toBeInTheDocument()

  await user.type(field, 'zo{ArrowDown}{Enter}')
  expect(field).toHaveValue('Ask @Zoe ')
  expect(options()).toEqual([])
  await user.type(field, 'and @gr{Tab}please{Control>}{Enter}{/Control}')
  await waitFor(() => expect(field).toHaveValue(''))
  expect(comments()).toMatchObject([
    {
      ids: ['a-1'],
      text: 'Ask @Zoe and @Grace <b>Hopper</b> please',
      mentions: [
        { accountId: OTHER.id, start: 4, end: 8 },
        { accountId: GRACE.id, start: 13, end: 33 },
      ],
    },
  ])
})

test('a press chooses a user, and the focus stays in the text', async () => {
  const { user, field } = await openThreat()
  await user.type(field, '@')
  await user.click(await screen.findByRole('option', { name: /one@corp/ }))
  expect(field).toHaveValue('@Zoe ')
  expect(field).toHaveFocus()
})

test('Escape closes the list and nothing else; an address or a word opens none', async () => {
  const { user, field, router } = await openThreat()
  await user.type(field, '@zo')
  await screen.findAllByRole('option')
  await user.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(router.state.location.pathname).toBe('/threats/a-1')
  await user.type(field, 'e{Enter}')
  expect(options()).toEqual([])
  expect(field).toHaveValue('@zoe\n')
  await user.clear(field)
  await user.type(field, 'zoe@zoe @nobody @ zoe')
  expect(options()).toEqual([])
})

test('a comment without a mention is sent as before', async () => {
  const { user, field, comments } = await openThreat()
  await user.type(field, 'mail a@zoe.example')
  await user.click(screen.getByRole('button', { name: 'Add comment' }))
  await waitFor(() => expect(comments()).toHaveLength(1))
  expect(comments()[0]).not.toHaveProperty('mentions')
})

test('says that users could not be loaded', async () => {
  const { user, field } = await openThreat()
  fakeBff.use(http.get('/bff/alert-profiles/users', () => new HttpResponse(null, { status: 500 })))
  await user.type(field, '@')
  await waitFor(() =>
    expect(field).toHaveAccessibleDescription('Users could not be loaded, so none is offered.'),
  )
})

test('the history marks a mention, with the present name as plain text', async () => {
  const event = { ...MARK, reason: null, owner: null, isUndone: false, id: '1', action: 'note' }
  fakeBff.use(
    http.get('/bff/triage/:id/history', () =>
      HttpResponse.json({
        events: [
          {
            ...event,
            text: 'Ask @Grace, not @Grace',
            mentions: [{ start: 4, end: 10, name: '<b>http://evil.example</b>' }],
          },
        ],
      }),
    ),
  )
  await openThreat()
  const team = within(await screen.findByRole('region', { name: 'Team' }))
  const item = await team.findByRole('listitem')
  expect(item).toHaveTextContent('Ask [@]<b>hxxp[:]//evil[.]example</b>, not @Grace')
  expect(item.querySelector('mark')).toHaveTextContent('<b>hxxp[:]//evil[.]example</b>')
  expect(item.querySelectorAll('mark')).toHaveLength(1)
})
