import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { Inbox } from '#contract/bff/inbox.ts'
import { inboxReadSchema } from '#contract/bff/inbox-read.ts'
import { aLedger, anInboxItem } from '#test/fixtures/delivery-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { inboxKey } from './inbox-options.ts'

afterEach(() => vi.unstubAllGlobals())

function serveInbox(first: Inbox) {
  const served = { inbox: first, read: [] as unknown[] }
  fakeBff.use(
    http.get('/bff/deliveries', () => HttpResponse.json(aLedger([]))),
    http.get('/bff/inbox', () => HttpResponse.json(served.inbox)),
    http.post('/bff/inbox/read', async ({ request }) => {
      const read = inboxReadSchema.parse(await request.json())
      served.read.push(read)
      const items = served.inbox.items.map((item) => ({
        ...item,
        isRead: item.isRead || !('ids' in read) || read.ids.includes(item.id),
      }))
      served.inbox = { items, unread: items.filter(({ isRead }) => !isRead).length }
      return HttpResponse.json(served.inbox)
    }),
  )
  return served
}

test('the bell counts what is unread, up to 99, and forgets it when all is read', async () => {
  const newest = anInboxItem(2, { at: '2026-11-21T12:00:00.000Z', path: '/alerts/deliveries?state=failed' })
  const served = serveInbox({ items: [newest, anInboxItem(1)], unread: 120 })
  const { user, router } = renderPage('/alerts/deliveries')
  await user.click(await screen.findByRole('button', { name: 'Notifications, 99+ unread' }))
  await user.click(await screen.findByRole('button', { name: 'Mark all read' }))
  expect(await screen.findByRole('button', { name: 'Notifications, none unread' })).toBeVisible()
  expect(served.read).toEqual([{ upTo: newest.at }])
  expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull()
  await user.click(screen.getAllByRole('link', { name: /3 new threats in/ })[0] ?? document.body)
  await expect.poll(() => router.state.location.search).toEqual({ state: 'failed' })
})

test('opening a notice reads that one, once', async () => {
  const mention = anInboxItem(3, {
    kind: 'notice',
    title: 'Grace mentioned you in a comment',
    path: '/alerts/deliveries?state=failed',
  })
  const served = serveInbox({ items: [mention, anInboxItem(1)], unread: 2 })
  const { user } = renderPage('/alerts/deliveries')
  for (const count of ['2', '1']) {
    await user.click(await screen.findByRole('button', { name: `Notifications, ${count} unread` }))
    await user.click(await screen.findByRole('link', { name: /Grace mentioned you/ }))
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  }
  expect(served.read).toEqual([{ ids: [mention.id] }])
})

test('permission for desktop notices is requested at a press, and they show only while the page is hidden', async () => {
  const shown: string[] = []
  const notices: EventTarget[] = []
  class StandInNotification extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      StandInNotification.permission = 'granted'
      return 'granted'
    }
    constructor(_title: string, { body }: { body: string }) {
      super()
      shown.push(body)
      notices.push(this)
    }
    close() {}
  }
  vi.stubGlobal('Notification', StandInNotification)
  const served = serveInbox({ items: [anInboxItem(1)], unread: 1 })
  const { user, router } = renderPage('/alerts/deliveries')
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  await user.click(await screen.findByRole('checkbox', { name: /desktop notifications/ }))
  expect(screen.getByRole('checkbox', { name: /desktop notifications/ })).toBeChecked()

  const arrive = async (number: number, title: string) => {
    const item = anInboxItem(number, { title, at: `2026-11-21T12:0${number}:00.000Z` })
    served.inbox = { items: [item, ...served.inbox.items], unread: number }
    router.options.context.queryClient.invalidateQueries({ queryKey: inboxKey })
    await screen.findByRole('button', { name: `Notifications, ${number} unread` })
  }
  await arrive(2, 'Seen at once')
  expect(shown).toEqual([])
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await arrive(3, '1 new threat in http://evil.example')
  hidden.mockRestore()
  expect(shown).toEqual(['1 new threat in hxxp[:]//evil[.]example'])

  notices[0]?.dispatchEvent(new Event('click'))
  await screen.findByRole('button', { name: 'Notifications, 2 unread' })
  expect(served.read).toEqual([{ ids: ['3'] }])
})
