import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Role } from '#contract/bff/session.ts'
import type { View } from '#contract/bff/view.ts'
import { makeActorAnswer } from '#test/fixtures/actor-fixtures.ts'
import { makeCountryAnswer } from '#test/fixtures/country-fixtures.ts'
import { anId, aWatch } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveViews, VIEW } from '#test/support/app/serve-views.ts'

const ME = [{ channel: 'user', userId: SESSION.user.id }]

/** A BFF with an actor and a country; the views and watches that it is sent. */
function servePages(views: View[] = [], role?: Role) {
  const sent = serveViews(views, role)
  const watched: unknown[] = []
  fakeBff.use(
    http.get('/bff/actors/:name', () =>
      HttpResponse.json(makeActorAnswer('Hunters', { aliases: ['Hunters International'] })),
    ),
    http.get('/bff/countries/:code', () => HttpResponse.json(makeCountryAnswer('DE'))),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.post('/bff/watches', async ({ request }) => {
      watched.push(await request.json())
      return HttpResponse.json({ watch: aWatch(1), secrets: {} }, { status: 201 })
    }),
  )
  const saved = () =>
    sent.map((line) => z.looseObject({}).parse(JSON.parse(line.replace(/^POST views /, ''))))
  return { saved, watched }
}

test.each([
  ['/actors/Hunters', 'Hunters', { actor: ['Hunters'] }],
  ['/countries/DE', 'Germany', { country: ['DE'] }],
])('Follow on %s watches exactly that, in one dialog', async (path, name, filter) => {
  const { saved, watched } = servePages()
  const { user, router } = renderPage(path)
  await user.click(await screen.findByRole('button', { name: 'Follow' }))

  const dialog = await screen.findByRole('dialog', { name: 'Watch' })
  expect(await within(dialog).findByLabelText('Name of the view')).toHaveValue(name)
  await user.click(within(dialog).getByRole('button', { name: 'Save and watch' }))
  await within(dialog).findByRole('button', { name: 'Done' })
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  expect(saved()).toMatchObject([{ name, filter, isShared: false }])
  expect(watched).toMatchObject([{ viewId: VIEW.id, recipients: ME }])
  expect(router.state.location.pathname).toBe(path)
})

test('Follow of what is followed changes the watch that there is', async () => {
  const view = { ...VIEW, id: anId(901), name: 'Hunters', filter: { actor: ['Hunters'] } }
  servePages([{ ...view, id: anId(902), owner: { name: 'Bo', isMe: false } }, view])
  const watches = [aWatch(1, { viewId: view.id, viewName: view.name })]
  fakeBff.use(
    http.get('/bff/watches', () => HttpResponse.json({ watches, hasEmail: true, domains: [], hosts: [] })),
  )
  const { user } = renderPage('/actors/Hunters')
  await user.click(await screen.findByRole('button', { name: 'Follow' }))

  const dialog = await screen.findByRole('dialog', { name: 'Whom this watch tells' })
  expect(await within(dialog).findByRole('button', { name: 'Save' })).toBeVisible()
  expect(within(dialog).queryByLabelText('Name of the view')).not.toBeInTheDocument()
})

test('viewers, who may not watch, are not offered it', async () => {
  servePages([], 'viewer')
  renderPage('/actors/Hunters')
  await screen.findByRole('link', { name: 'All its threats' })
  expect(screen.queryByRole('button', { name: 'Follow' })).not.toBeInTheDocument()
})
