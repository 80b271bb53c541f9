import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { renderPart } from '#test/support/app/render-part.tsx'
import { LiveUpdates } from './live-updates.tsx'

test('a notice that nobody has read stays, and counts on', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const { user } = renderPart(
    <QueryClientProvider client={new QueryClient()}>
      <LiveUpdates renderProfile={({ name }) => name} />
    </QueryClientProvider>,
  )
  await expect.poll(() => streams.length).toBe(1)
  const tell = (...triggers: { id: string; name: string; newMatches: number }[]) =>
    send(`data: ${JSON.stringify({ kind: 'alerts', triggers })}\n\n`)
  const notice = within(screen.getByRole('status'))
  const lines = () => notice.queryAllByRole('listitem').map(({ textContent }) => textContent)

  tell({ id: 'p-1', name: 'Clinics', newMatches: 2 }, { id: 'p-2', name: 'Ports', newMatches: 1 })
  tell({ id: 'p-1', name: 'Clinics', newMatches: 3 })
  await expect.poll(lines).toEqual(['5 new threats match Clinics', '1 new threat matches Ports'])

  await user.click(notice.getByRole('button', { name: 'Dismiss' }))
  tell({ id: 'p-2', name: 'Ports', newMatches: 4 })
  await expect.poll(lines).toEqual(['4 new threats match Ports'])
})
