import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const TIMES = { critical: 4, high: 24, medium: 72, low: null }

function openDueTimes() {
  signInAs('admin')
  fakeBff.use(http.get('/bff/due-times', () => HttpResponse.json(TIMES)))
  return renderPage('/settings?tab=cases')
}

test('an admin sets the hours of each severity, or none', async () => {
  const sent: unknown[] = []
  const { user } = openDueTimes()
  fakeBff.use(
    http.put('/bff/due-times', async ({ request }) => {
      const body = await request.json()
      sent.push(body)
      return HttpResponse.json(body)
    }),
  )
  const critical = await screen.findByLabelText('Critical (hours)')
  expect(critical).toHaveValue(4)
  expect(screen.getByLabelText('Low (hours)')).toHaveValue(null)
  await user.clear(critical)
  await user.type(critical, '2')
  await user.clear(screen.getByLabelText('High (hours)'))
  await user.click(screen.getByRole('button', { name: 'Save due times' }))

  expect(await screen.findByText('Saved. It applies to all open cases at once.')).toBeVisible()
  expect(sent).toEqual([{ critical: 2, high: null, medium: 72, low: null }])
  expect(screen.getByLabelText('High (hours)')).toHaveValue(null)
})

test('refused hours stay in their field, and the page shows the reason', async () => {
  const { user } = openDueTimes()
  const reason = 'Too big: expected number to be <=8760'
  fakeBff.use(
    http.put('/bff/due-times', () => problem('bad_request', 400, { fields: [{ name: 'high', reason }] })),
  )
  const high = await screen.findByLabelText('High (hours)')
  await user.clear(high)
  await user.type(high, '30')
  await user.click(screen.getByRole('button', { name: 'Save due times' }))
  expect(await screen.findByText(reason)).toBeVisible()
  expect(screen.getByLabelText('High (hours)')).toHaveValue(30)
  expect(screen.getByText(/^Not saved\./)).toHaveRole('alert')
})

test('others than admins do not see them', async () => {
  renderPage('/settings?tab=cases')
  expect(await screen.findByText('Only admins see Cases')).toBeVisible()
  expect(screen.getByText(/^Admins set here after how many hours a case is due/)).toBeVisible()
})
