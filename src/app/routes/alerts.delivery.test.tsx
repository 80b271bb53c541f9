import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { anAlertList, aProfile } from '#test/fixtures/alert-fixtures.ts'
import { fakeBff, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test.each([
  { isOwnService: true, says: /this service does not send yet/, never: /your vendor sends/ },
  { isOwnService: false, says: /your vendor sends/, never: /this service does not send yet/ },
])('the builder, the list and the empty list say $says', async ({ isOwnService, says, never }) => {
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, isOwnService })))
  for (const [path, profiles] of [
    ['/alerts/new', []],
    ['/alerts', [aProfile('p-1')]],
    ['/alerts', []],
  ] as const) {
    fakeBff.use(http.get('/bff/alerts', () => HttpResponse.json(anAlertList([...profiles]))))
    const { unmount } = renderPage(path)
    expect(await screen.findByText(says)).toBeVisible()
    expect(document.body).not.toHaveTextContent(never)
    // Nobody is told that Lantern sends.
    expect(document.body).not.toHaveTextContent(/notif|tells you|whom to tell/i)
    unmount()
  }
})
