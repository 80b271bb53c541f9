import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { inertLine } from '#app/ui/export/inert-line.ts'
import type { Inbox } from '#contract/bff/inbox.ts'
import { readInboxMutation } from './read-inbox.ts'

const store = createBrowserStore({ key: 'lantern.desktop-notices', schema: z.boolean(), fallback: false })

/**
 * Permission for desktop notifications while the page is out of sight. `blocked` can only be changed in the browser's
 * settings.
 */
export type DesktopNotices = 'on' | 'off' | 'blocked' | 'not-offered'

export function useDesktopNoticeChoice(): DesktopNotices {
  const isChosen = useSyncExternalStore(store.subscribe, store.read)
  if (!('Notification' in globalThis)) return 'not-offered'
  if (Notification.permission === 'denied') return 'blocked'
  return isChosen && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Only from a press: browsers refuse to ask otherwise. */
export async function chooseDesktopNotices(isOn: boolean): Promise<void> {
  // Written after the answer, whatever it is: pages look at the permission anew then.
  const isGranted = isOn && (await Notification.requestPermission()) === 'granted'
  store.write(isGranted ? true : undefined)
}

/** Says what has come since the page was opened, while nobody can see it there. All tabs say it as one. */
export function DesktopNotices({ inbox }: { inbox: Inbox | undefined }) {
  const router = useRouter()
  const marking = useMutation(readInboxMutation(useQueryClient()))
  const choice = useDesktopNoticeChoice()
  const known = useRef<string | undefined>(undefined)

  const tell = useEffectEvent(({ items }: Inbox) => {
    const seen = known.current
    known.current = items[0]?.at ?? seen ?? ''
    if (choice !== 'on' || !document.hidden || seen === undefined) return
    const added = items.filter(({ at, isRead }) => at > seen && !isRead)
    const [newest] = added
    if (!newest) return
    const more = added.length > 1 ? `, and ${added.length - 1} more` : ''
    const notice = new Notification('Lantern', {
      body: `${inertLine(newest.title)}${more}`,
      icon: '/icon.svg',
      tag: newest.id,
    })
    notice.addEventListener('click', () => {
      window.focus()
      marking.mutate({ ids: [newest.id] })
      router.navigate({ href: newest.path })
      notice.close()
    })
  })
  useEffect(() => {
    if (inbox) tell(inbox)
  }, [inbox])
  return null
}
