import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { TEAM_FIGURES } from '#test/fixtures/team-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { catchSavedFiles } from '#test/support/app/catch-saved-files.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function openMetrics() {
  fakeBff.use(
    http.get('/bff/metrics', () => problem('plan_not_allowed', 403)),
    http.get('/bff/trends', () => HttpResponse.json(aTrendAnswer({ series: ['Ransomware'] }))),
    http.get('/bff/team-figures', () => HttpResponse.json(TEAM_FIGURES)),
  )
  return renderPage('/metrics')
}

test('shows how fast the team was, never rounds a share up to all, and leads to the open cases', async () => {
  openMetrics()
  const panel = within(await screen.findByRole('region', { name: 'Work of the team' }))
  expect(await panel.findByText('90 % within 6 h, 34 cases')).toBeVisible()
  expect(panel.getByText('99 %')).toBeVisible()
  expect(panel.getByText('214 of 215 messages')).toBeVisible()
  const rows = (name: string) =>
    within(panel.getByRole('table', { name }))
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent))
  const head = ['Severity', 'Median', '90 % within', 'Cases']
  expect(rows('Time to first look by severity')).toEqual([
    head,
    ['Critical', '12 min', '1 h', '12'],
    ['Not rated', '3 h', '20 h', '22'],
  ])
  expect(rows('Time to closing by severity')).toEqual([head, ['Critical', '26 h', '5 d', '21']])
  expect(panel.getByText(/Lantern itself closed 6 claims/)).toBeVisible()
  expect(panel.getByRole('link', { name: '410 more than 7 days' })).toHaveAttribute(
    'href',
    '/threats?triage=open&until=2026-11-14T12%3A00%3A00.000Z',
  )
})

test('saves the figures as CSV, with the definition of each', async () => {
  const saved = catchSavedFiles()
  const { user } = openMetrics()
  const panel = within(await screen.findByRole('region', { name: 'Work of the team' }))
  await user.click(await panel.findByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export figures' }))
  await user.click(dialog.getByRole('button', { name: 'Export' }))
  const [file] = saved
  const text = (await file?.file.text()) ?? ''
  expect(text).toContain('Time to closing,All,21,1560,7200,,Last 30 days,2026-10-23,2026-11-21,')
  expect(text).toContain('Cases closed,Not relevant,14,')
})
