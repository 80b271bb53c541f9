import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { type ProfileChange, profileChangeSchema } from '#contract/bff/profile.ts'
import { fakeBff, PROFILE, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const NEWCOMER = { ...PROFILE, hasSeenWelcome: false, hasChosenTimeZone: false }

/** Serves the profile of somebody new, and records what answers the page. */
function serveNewcomer(): ProfileChange[] {
  const answers: ProfileChange[] = []
  fakeBff.use(
    http.get('/bff/profile', () => HttpResponse.json(NEWCOMER)),
    http.put('/bff/profile', async ({ request }) => {
      const change = profileChangeSchema.parse(await request.json())
      if (change.hasSeenWelcome) answers.push(change)
      return HttpResponse.json({ ...NEWCOMER, ...change })
    }),
  )
  return answers
}

test('proposes the zone of the browser, and stores what is given with the account', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await screen.findByLabelText('Show times in')).toHaveValue(own)
  await user.selectOptions(screen.getByLabelText('Show times in'), 'Asia/Tokyo')
  await user.type(screen.getByLabelText('My countries'), 'de{Enter}')
  await user.type(screen.getByLabelText('My industries'), 'Heal\u200bthcare')
  await user.click(screen.getByRole('button', { name: 'Save' }))

  await waitFor(() => expect(answers).toHaveLength(1))
  expect(answers[0]).toMatchObject({
    hasSeenWelcome: true,
    hasChosenTimeZone: true,
    preferences: { timeZone: 'Asia/Tokyo', countries: ['DE'], industries: ['Healthcare'] },
  })
  await waitFor(() => expect(document.title).toBe('Overview · Lantern'))
})

test('skipping stores nothing but that', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  await user.type(await screen.findByLabelText('My industries'), 'Energy{Enter}')
  await user.click(screen.getByRole('button', { name: 'Skip for now' }))

  await waitFor(() => expect(answers).toEqual([{ hasSeenWelcome: true }]))
  await waitFor(() => expect(document.title).toBe('Overview · Lantern'))
})

test('what no country is called is marked, and a failure loses nothing that was typed', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  const countries = await screen.findByLabelText('My countries')
  await user.type(countries, 'Atlantis{Enter}FR{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Correct or remove what is marked in red.')
  expect(countries).toHaveFocus()
  expect(answers).toEqual([])

  await user.click(screen.getByRole('button', { name: 'Remove Atlantis' }))
  fakeBff.use(http.put('/bff/profile', () => problem('database_unavailable', 503)))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Not saved. Problem database_unavailable.')
  expect(screen.getByRole('button', { name: 'Remove France' })).toBeVisible()
})

test('Settings leads to it, and somebody who keeps UTC is not led away from it', async () => {
  const { user } = renderPage('/settings')
  const part = within(await screen.findByRole('region', { name: 'My interests' }))
  await user.click(part.getByRole('link', { name: 'welcome page' }))
  expect(await screen.findByLabelText('Show times in')).toHaveValue('UTC')
})
