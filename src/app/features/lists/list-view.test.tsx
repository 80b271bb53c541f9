import { screen } from '@testing-library/react'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { LIST_ID } from '#test/fixtures/list-fixtures.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveList } from '#test/support/app/serve-list.ts'

const edit = () => screen.findByRole('button', { name: 'Edit list' })

test('an admin may change a list, but not one that does not exist', async () => {
  signInAs('admin')
  serveList()
  const { unmount } = renderPage(`/lists/${LIST_ID}`)
  expect(await edit()).toBeVisible()
  unmount()
  fakeBff.use(http.get('/bff/lists/:id', () => problem('not_found', 404)))
  renderPage(`/lists/${LIST_ID}`)
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(await screen.findByRole('button', { name: /account of/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Edit list|Delete list/ })).toBeNull()
})
