import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test('a row says that only its full text holds what was searched for', async () => {
  const threats = [{ ...aThreat('a-1'), foundIn: 'fullText' }, aThreat('a-2')]
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json({ ...aThreatList([]), threats, total: 2 })))
  renderPage('/threats?q=vault')
  const mark = 'found in the full text'
  const rows = await screen.findAllByRole('row', { name: /Threat a-/ })
  expect(rows.map((row) => row.textContent?.includes(mark))).toEqual([true, false])
  expect(within(rows[0] ?? document.body).getByRole('link', { name: 'Threat a-1' })).toBeVisible()
})
