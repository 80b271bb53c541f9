import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test('suggests the industries that the window’s records name', async () => {
  const industry = ['Energy', 'Ener\u202egy'].map((value) => ({ value, count: 3 }))
  fakeBff.use(
    http.get('/bff/source', () =>
      HttpResponse.json({ ...SOURCE, window: { ...SOURCE.window, status: 'complete' } }),
    ),
    http.get('/bff/threats', () =>
      HttpResponse.json(
        aThreatList([], { facets: { category: [], country: [], actor: [], industry, severity: [] } }),
      ),
    ),
  )
  const { user } = renderPage('/settings')
  const field = await screen.findByLabelText('My industries')
  const suggested = () => document.querySelectorAll(`datalist[id="${field.getAttribute('list')}"] option`)
  await waitFor(() => expect(suggested()).toHaveLength(1))
  await user.type(field, 'Energy{Enter}')
  expect(screen.getByRole('button', { name: 'Remove Energy' })).toBeVisible()
  expect(suggested()).toHaveLength(0)
})
