import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { aLanternProfileList } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

beforeEach(() => {
  sessionStorage.clear()
  fakeBff.use(
    http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([], { hasEmail: false }))),
  )
})

test.each([
  ['admin', /users get messages in Notifications only.* To send email, set SMTP_URL and MAIL_FROM\.$/],
  ['analyst', /users get messages in Notifications only.* Ask an admin to set SMTP_URL and MAIL_FROM\.$/],
] as const)(
  'without a mail server the builder says to an %s that users get no email',
  async (role, words) => {
    signInAs(role)
    const { user } = renderPage('/alerts/new?q=hospital')
    const recipients = (await screen.findByRole('heading', { name: 'Recipients' })).closest('section')
    const note = await within(recipients as HTMLElement).findByText(/^Email is not set up/)
    expect(note).toHaveTextContent(words)
    await user.click(screen.getByRole('radio', { name: 'The Shift page' }))
    expect(screen.getAllByText(/^Email is not set up/)).toHaveLength(1)
  },
)

test('the builder shows no note about email while the vendor sends the messages', async () => {
  const { user } = renderPage('/alerts/new?keyword=hospital')
  expect(await screen.findByText('Runs in the vendor’s account, which sends its messages.')).toBeVisible()
  expect(screen.queryByText(/^Email is not set up/)).not.toBeInTheDocument()
  await user.click(screen.getByRole('checkbox', { name: /^Me/ }))
  expect(await screen.findByText(/^Email is not set up/)).toBeVisible()
})
