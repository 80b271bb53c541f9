import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { FIRST_AFTER } from '#contract/bff/list.ts'
import { ENTRY_ID, LIST_ID, makeEntry, makeList } from '#test/fixtures/list-fixtures.ts'
import { catchSavedFiles } from '#test/support/app/catch-saved-files.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveList } from '#test/support/app/serve-list.ts'
import { guessColumns } from './column-uses.ts'
import { readEntries } from './read-entries.ts'
import { readRows } from './read-rows.ts'

test('lists what was listed of each list, and leads to it', async () => {
  serveList()
  renderPage('/lists')
  const row = await screen.findByRole('row', { name: /Suppliers/ })
  expect(row).toHaveTextContent(/Suppliers.*800.*5.*2.*you/)
  expect(within(row).getByRole('link', { name: 'Suppliers' })).toHaveAttribute('href', `/lists/${LIST_ID}`)
  expect(document.title).toBe('Lists · Lantern')
})

test('an admin deletes a private list of an inactive user, without its name', async () => {
  const inactive = [
    { id: LIST_ID, ownerName: 'Grace', entryCount: 800, updatedAt: '2026-03-10T12:00:00.000Z' },
  ]
  const deleted: unknown[] = []
  fakeBff.use(
    http.get('/bff/lists', () => HttpResponse.json({ lists: [], ...(deleted.length === 0 && { inactive }) })),
    http.delete('/bff/lists/:id', ({ params }) => {
      deleted.push(params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderPage('/lists')
  const table = await screen.findByRole('table', { name: 'Private lists of inactive users' })
  expect(within(table).getByRole('row', { name: /Grace/ })).toHaveTextContent(/Grace.*800/)
  await user.click(screen.getByRole('button', { name: 'Delete a private list of Grace' }))
  await user.click(screen.getByRole('button', { name: 'Delete list' }))
  await waitFor(() => expect(table).not.toBeInTheDocument())
  expect(deleted).toEqual([LIST_ID])
})

test('offers to make a list where there is none', async () => {
  fakeBff.use(http.get('/bff/lists', () => HttpResponse.json({ lists: [] })))
  renderPage('/lists')
  expect(await screen.findByText('No list yet')).toBeVisible()
  for (const name of ['New list', 'Create the first list'])
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/lists/new')
})

test('makes a list of pasted names, once every line is understood or left out', async () => {
  const sent = serveList()
  const { user, router } = renderPage('/lists/new')
  await user.type(await screen.findByLabelText('Name'), 'Suppliers')
  await user.click(screen.getByLabelText('Names'))
  await user.paste('Okapi Ltd, okapi.example\nZebra, 192.0.2.1\nokapi ltd, okapi.example')
  expect(
    await screen.findByText('1 entry understood, 1 line refused, 1 repeated line left out'),
  ).toBeVisible()
  expect(screen.getByText(/IP address/)).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Create list' }))
  expect(await screen.findByText(/Correct them, or leave them out/)).toBeVisible()
  expect(sent).toEqual([])
  await user.click(screen.getByRole('checkbox', { name: 'Leave out this line' }))
  await user.click(screen.getByRole('button', { name: 'Create list' }))

  await waitFor(() => expect(router.state.location.pathname).toBe(`/lists/${LIST_ID}`))
  expect(sent).toMatchObject([
    {
      method: 'POST',
      body: {
        name: 'Suppliers',
        kind: 'supplier',
        isShared: true,
        entries: [{ name: 'Okapi Ltd', domains: ['okapi.example'] }],
      },
    },
  ])
})

const SHARED_SUFFIX = problem('bad_request', 400, {
  fields: [{ name: 'entries.1.domains', reason: 'Many organisations have their domains below “co.uk”.' }],
})

test('shows the line that the server refuses, until it is left out or corrected', async () => {
  const sent = serveList()
  const refuseOnce = (path: string) =>
    fakeBff.use(http.post(path, () => SHARED_SUFFIX.clone(), { once: true }))
  refuseOnce('/bff/lists')
  const { user } = renderPage('/lists/new')
  await user.type(await screen.findByLabelText('Name'), 'Suppliers')
  await user.click(screen.getByLabelText('Names'))
  await user.paste('Okapi Ltd\n\nZebra; co.uk\nGnu')
  await user.click(screen.getByRole('button', { name: 'Create list' }))
  const refused = await screen.findByText(/^Many organisations/)
  expect(refused.closest('li')).toHaveTextContent('Line 3: Zebra; co.uk Many organisations')
  expect(screen.getByText('2 entries understood, 1 line refused')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Leave out this line' }))
  await user.click(screen.getByRole('button', { name: 'Create list' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toMatchObject([{ body: { entries: [{ name: 'Okapi Ltd' }, { name: 'Gnu' }] } }])

  refuseOnce('/bff/lists/:id/entries')
  await user.click(await screen.findByRole('button', { name: 'Add entries' }))
  const file = new File(['Name;Web\nOkapi Ltd;\nZebra;co.uk\n'], 'suppliers.csv')
  await user.upload(screen.getByLabelText('CSV file'), file)
  await user.click(await screen.findByRole('button', { name: 'Add 2 entries' }))
  expect((await screen.findByText(/^Many organisations/)).closest('li')).toHaveTextContent(/^Line 3: Zebra/)
  await user.selectOptions(screen.getByLabelText('Column 2'), 'Not used')
  await user.click(screen.getByRole('button', { name: 'Add 2 entries' }))
  await waitFor(() => expect(sent).toHaveLength(2))
})

test('keeps what was typed where a list cannot be made, and says why', async () => {
  serveList()
  fakeBff.use(http.post('/bff/lists', () => problem('conflict', 409)))
  const { user } = renderPage('/lists/new')
  await user.type(await screen.findByLabelText('Name'), 'Suppliers')
  await user.type(screen.getByLabelText('Names'), 'Okapi Ltd')
  await user.click(screen.getByRole('button', { name: 'Create list' }))
  expect(await screen.findByText(/Not created/)).toBeVisible()
  expect(screen.getByLabelText('Names')).toHaveValue('Okapi Ltd')
})

test('says how many entries were listed, by which threats, and why', async () => {
  serveList()
  renderPage(`/lists/${LIST_ID}`)
  expect(
    await screen.findByText(
      '7 of your suppliers were listed in the last 12 months: 5 certain, 2 to confirm.',
    ),
  ).toBeVisible()
  expect(screen.getByRole('heading', { level: 1, name: 'Suppliers' })).toBeVisible()
  const alert = () => {
    const { pathname, searchParams } = new URL(
      screen.getByRole<HTMLAnchorElement>('link', { name: 'Alert me' }).href,
    )
    return [pathname, searchParams.get('q')]
  }
  await waitFor(() => expect(alert()).toEqual(['/alerts/new', 'list:Suppliers']))
  const [item] = await screen.findAllByRole('listitem')
  expect(item).toHaveTextContent(/Okapi Ltd · Same name: OKAPI/)
  expect(item).toHaveTextContent('to confirm')
  expect(await screen.findByRole('row', { name: /Okapi Ltd/ })).toHaveTextContent('1 certain, 2 to confirm')
})

test('shows characters that act unseen in all texts of an entry, also where there is no markup', async () => {
  const name = 'Okapi\u202e Ltd'
  serveList()
  fakeBff.use(
    http.get('/bff/lists/:id/entries', () =>
      HttpResponse.json({
        entries: [makeEntry(name, { key: 'S\u200b17', note: 'Paid\u202e', domains: ['okapi.example'] })],
        total: 1,
      }),
    ),
  )
  const { user } = renderPage(`/lists/${LIST_ID}`)
  const edit = await screen.findByRole('button', { name: 'Edit Okapi‹U+202E› Ltd' })
  expect(edit).toBeVisible()
  expect(screen.getByRole('button', { name: 'Remove Okapi‹U+202E› Ltd' })).toBeVisible()
  expect(screen.getByRole('img', { name: 'zero width space, U+200B' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: /Okapi/ }))
  await waitFor(() => expect(document.title).toBe('Okapi‹U+202E› Ltd · Lantern'))
})

test('keeps added lines while their dialog is closed, and says how many were in the list already', async () => {
  const sent = serveList()
  fakeBff.use(
    http.post('/bff/lists/:id/entries', async ({ request }) => {
      sent.push({ method: 'POST', path: '', body: await request.json() })
      return HttpResponse.json({ added: 1, known: 1 }, { status: 201 })
    }),
  )
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Add entries' }))
  await user.click(screen.getByLabelText('Names'))
  await user.paste('Zebra\nOkapi Ltd')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByLabelText('Names')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Add entries' }))
  expect(screen.getByLabelText('Names')).toHaveValue('Zebra\nOkapi Ltd')
  await user.click(screen.getByRole('button', { name: 'Add 2 entries' }))
  expect(await screen.findByText('1 added, 1 was in the list.')).toHaveAttribute('role', 'status')
  expect(sent).toMatchObject([{ body: { entries: [{ name: 'Zebra' }, { name: 'Okapi Ltd' }] } }])
  await user.click(screen.getByRole('button', { name: 'Add entries' }))
  expect(screen.getByLabelText('Names')).toHaveValue('')
})

test('an entry and a list are deleted only after a second press', async () => {
  const sent: string[] = []
  serveList()
  fakeBff.use(
    http.delete('/bff/lists/*', ({ request }) => {
      sent.push(new URL(request.url).pathname)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user, router } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Remove Okapi Ltd' }))
  expect(screen.getByText(/its matches and decisions are deleted/)).toBeVisible()
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Remove entry' }))
  await expect.poll(() => sent).toEqual([`/bff/lists/${LIST_ID}/entries/${ENTRY_ID}`])

  await user.click(screen.getByRole('button', { name: 'Delete list…' }))
  await user.click(screen.getByRole('button', { name: 'Delete list' }))
  await expect.poll(() => router.state.location.pathname).toBe('/lists')
  expect(sent.at(-1)).toBe(`/bff/lists/${LIST_ID}`)
})

test('a viewer reads, and is offered no change', async () => {
  signInAs('viewer')
  serveList({ list: makeList({ owner: { name: 'Olga', isMe: false } }) })
  renderPage(`/lists/${LIST_ID}`)
  await screen.findByRole('row', { name: /Okapi Ltd/ })
  expect(screen.queryByRole('link', { name: 'Alert me' })).not.toBeInTheDocument()
  for (const name of [/Not us:/, /^Confirm/, 'Add entries', 'Delete list…', /^Remove/])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
})

test('changes name, kind and sharing of a list, and shows a conflicting change by another user', async () => {
  serveList()
  const sent: unknown[] = []
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Edit list' }))
  const name = screen.getByLabelText('Name')
  expect(name).toHaveValue('Suppliers')
  await user.clear(name)
  await user.type(name, 'Vendors')
  await user.selectOptions(screen.getByLabelText('Kind'), 'Peers')
  serveList({ list: makeList({ name: 'Partners' }) })
  fakeBff.use(
    http.put('/bff/lists/:id', async ({ request }) => {
      sent.push(await request.json())
      return sent.length === 1 ? problem('conflict', 409) : HttpResponse.json(makeList({ name: 'Vendors' }))
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/Save again to replace this/)).toHaveTextContent('Now it is “Partners”')
  expect(name).toHaveValue('Vendors')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument())
  const draft = { name: 'Vendors', kind: 'peer', isShared: true }
  const before = { kind: 'supplier', isShared: true }
  expect(sent).toEqual([
    { ...draft, before: { ...before, name: 'Suppliers' } },
    { ...draft, before: { ...before, name: 'Partners' } },
  ])
})

test('keeps a list that cannot be refreshed, and shows its age and the reason', async () => {
  serveList()
  const { router } = renderPage(`/lists/${LIST_ID}`)
  await screen.findByRole('row', { name: /Okapi Ltd/ })
  await screen.findByRole('heading', { level: 1, name: 'Suppliers' })
  fakeBff.use(http.get('/bff/lists/*', () => problem('internal', 500)))
  await router.options.context.queryClient.invalidateQueries({ queryKey: ['lists'] })
  // The list, its matches and its entries.
  await waitFor(() => expect(screen.getAllByText(/not current/)).toHaveLength(3))
  expect(screen.getByRole('row', { name: /Okapi Ltd/ })).toBeVisible()
})

test('reads a file in the browser, shows how its columns are understood, and sends what it holds', async () => {
  const sent = serveList()
  const { user } = renderPage('/lists/new')
  await user.type(await screen.findByLabelText('Name'), 'Suppliers')
  const file = new File(['Nr;Lieferant;Web\n7;Okapi Ltd;https://okapi.example/about\n'], 'suppliers.csv')
  await user.upload(screen.getByLabelText('CSV file'), file)

  expect(await screen.findByText('1 entry understood')).toBeVisible()
  expect(screen.getByText('2 rows, read as UTF-8')).toBeVisible()
  expect(screen.getByLabelText('Column 2')).toHaveValue('name')
  expect(screen.getByLabelText('Column 3')).toHaveValue('domain')
  expect(screen.getByText('1 address reduced to the domain')).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Column 1'), 'Reference')
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Create list' }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    body: { entries: [{ name: 'Okapi Ltd', domains: ['okapi.example'], key: '7' }] },
  })
})

test('says why a file cannot be read', async () => {
  serveList()
  const { user } = renderPage('/lists/new')
  const file = new File(['PK\u0000\u0000'], 'suppliers.csv')
  await user.upload(await screen.findByLabelText('CSV file'), file)
  expect(await screen.findByText(/cannot be decoded/)).toBeVisible()
})

test('changes an entry, and refuses what cannot be one', async () => {
  const sent = serveList()
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Edit Okapi Ltd' }))
  const domains = screen.getByLabelText('Domains')
  expect(domains).toHaveValue('okapi.example')
  await user.clear(domains)
  await user.type(domains, '192.0.2.1')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/IP address/)).toBeVisible()
  expect(sent).toEqual([])

  await user.clear(domains)
  await user.type(domains, 'b.example, a.example')
  await user.click(screen.getByRole('checkbox', { name: 'Critical' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    body: { name: 'Okapi Ltd', domains: ['a.example', 'b.example'], note: null, weight: 'critical' },
  })
})

test('saves the entries as a file that gives back what was imported', async () => {
  serveList()
  const saved = catchSavedFiles()
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const read = readRows(new Uint8Array((await saved[0]?.file.arrayBuffer()) ?? []))
  const { rows } = 'rows' in read ? read : { rows: [] }
  expect(readEntries(rows, guessColumns(rows)).entries).toEqual([
    { name: 'Okapi Ltd', domains: ['okapi.example'], note: null, key: null, weight: 'normal' },
  ])
})

test('reads all entries by their ids, page by page', async () => {
  serveList()
  const saved = catchSavedFiles()
  const ids = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`)
  const requests: (string | null)[] = []
  fakeBff.use(
    http.get('/bff/lists/:id/entries', ({ request }) => {
      const after = new URL(request.url).searchParams.get('after')
      if (after === null) return undefined
      requests.push(after)
      const rest = ids.filter((id) => id > after)
      const entries = rest.slice(0, 2).map((id) => ({ ...makeEntry(`Company ${9 - ids.indexOf(id)}`), id }))
      return HttpResponse.json({ entries, total: rest.length })
    }),
  )
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const lines = (await saved[0]?.file.text())?.trim().split(/\r?\n/) ?? []
  expect(lines.map((line) => line.split(',')[0])).toEqual(['Name', 'Company 7', 'Company 8', 'Company 9'])
  expect(requests).toEqual([FIRST_AFTER, ids[1]])
})

test('shows the threats of one entry, what it holds, and which time is stored', async () => {
  serveList()
  const queries: string[] = []
  fakeBff.events.on('request:start', ({ request }) => void queries.push(new URL(request.url).search))
  const { user, router } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('link', { name: 'Okapi Ltd' }))

  expect(await screen.findByText('Listed in 3 stored threats: 1 certain, 2 to confirm.')).toBeVisible()
  expect(router.state.location.pathname).toBe(`/lists/${LIST_ID}/entries/${ENTRY_ID}`)
  expect(screen.getByRole('heading', { level: 1, name: 'Okapi Ltd' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'What this rests on' })).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Not us:/ })).toBeVisible()
  expect(queries).toContain(`?entry=${ENTRY_ID}&show=matches&offset=0`)
})

test('says that an entry was never listed, and offers the months before what is stored with their cost', async () => {
  const sent = serveList({ matches: [] })
  const offer = {
    from: '2026-07-01T00:00:00.000Z',
    to: '2026-08-01T00:00:00.000Z',
    isBackTo: false,
    calls: 14,
    callsLeft: 86,
  }
  fakeBff.use(
    http.get('/bff/lists/:id/entries', () => HttpResponse.json({ entries: [makeEntry('Zebra')], total: 1 })),
    http.get('/bff/history-loads', () => HttpResponse.json({ loads: [], offer, refusal: null })),
  )
  const { user } = renderPage(`/lists/${LIST_ID}/entries/${ENTRY_ID}`)
  expect(await screen.findByText('Never listed in what is stored.')).toBeVisible()
  expect(
    await screen.findByRole('button', { name: 'Load July 2026 (about 14 calls, 86 left today)' }),
  ).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Edit entry' }))
  await user.type(screen.getByLabelText('Domains'), 'zebra.example')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toMatchObject([{ body: { name: 'Zebra', domains: ['zebra.example'] } }]))
})
