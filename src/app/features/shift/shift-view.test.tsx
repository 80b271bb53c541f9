import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { SHIFT } from '#test/fixtures/shift-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const part = async (name: string) => within(await screen.findByRole('region', { name }))

function serve(shift = SHIFT): string[] {
  const requested: string[] = []
  fakeBff.use(
    http.post('/bff/shift-visits', () => {
      requested.push('visit')
      return HttpResponse.json({ since: SHIFT.since })
    }),
    http.get('/bff/shift', ({ request }) => {
      requested.push(new URL(request.url).searchParams.get('since') ?? '')
      return HttpResponse.json(shift)
    }),
  )
  return requested
}

test('begins with the last visit, and keeps the beginning in the address', async () => {
  const requested = serve()
  const { router } = renderPage('/shift')
  await waitFor(() => expect(router.state.location.search).toEqual({ since: SHIFT.since }))
  await part('Cases with new claims')
  expect(requested).toEqual(['visit', SHIFT.since])
})

test('leads from each count to the feed, and from each line to its threat', async () => {
  const requested = serve()
  renderPage('/shift?since=2026-11-20T06:00:00Z')
  const added = await part('Cases with new claims')
  expect(requested).toEqual(['2026-11-20T06:00:00.000Z'])
  expect(added.getByRole('link', { name: '60 cases' })).toHaveAttribute(
    'href',
    '/threats?since=2026-11-21T06%3A00%3A00.000Z',
  )
  expect(added.getByText('58 more are not listed here.')).toBeVisible()
  const closed = (await part('Closed')).getByRole('link')
  expect(closed).toHaveAttribute('href', '/threats/t-3')
  expect((await part('Open by owner')).getByRole('link', { name: /^Nobody: 7 cases/ })).toHaveAttribute(
    'href',
    '/threats?q=owner%3Anobody&triage=open',
  )
  expect((await part('Overdue')).getByRole('link', { name: '1 case' })).toHaveAttribute(
    'href',
    '/threats?triage=overdue',
  )
  // A mention has the present name, and no address is live.
  expect((await part('Comments')).getByText(/@Grace Example/)).toBeInTheDocument()
})

test('takes a beginning that is no moment for none', async () => {
  const requested = serve()
  const { router } = renderPage('/shift?since=yesterday')
  await waitFor(() => expect(router.state.location.search).toEqual({ since: SHIFT.since }))
  expect(requested[0]).toBe('visit')
})

test('lets nothing in a name or a comment act', async () => {
  const names = Object.values(NASTY_STRINGS).filter((name) => name.length < 2000)
  const [comment] = SHIFT.comments.newest
  const owners = names.map((name, at) => ({ name, cases: 1, filter: { q: `owner:${at}` } }))
  const newest = names.flatMap((text) => (comment ? { ...comment, text, mentions: [] } : []))
  serve({ ...SHIFT, owners, comments: { count: newest.length, newest } })
  const { container } = renderPage(`/shift?since=${SHIFT.since}`)
  await part('Comments')
  expect(container.querySelectorAll('script, iframe, form, a:not([href^="/"], [href="#main"])')).toHaveLength(
    0,
  )
})
