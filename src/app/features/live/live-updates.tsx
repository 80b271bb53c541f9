import { partialMatchKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sessionKey } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { IconButton } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { LiveEvent } from '#contract/bff/live.ts'
import { hearLive } from './hear-live.ts'

/** A random delay spreads the requests of many open pages. */
const JITTER_MS = 1_500
// Fetched with the first event, not on the way to the first page.
const loadKeys = () => import('./live-options.ts')

/**
 * Keeps what is on the page in step with the server. While nobody looks, answers are only marked as old: fetching them
 * would keep the session of an abandoned page alive. They are fetched when somebody is back.
 */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const [change, setChange] = useState<DataChange>(NO_CHANGE)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const isWatched = watchPresence({
      signal,
      async onReturn() {
        const { ALL_KEYS } = await loadKeys()
        const isLive = ({ queryKey }: { queryKey: QueryKey }) =>
          ALL_KEYS.some((key) => partialMatchKey(queryKey, key))
        queryClient.refetchQueries({ type: 'active', stale: true, predicate: isLive })
      },
    })
    const refresh = async (event: LiveEvent | null) => {
      const { noteChange, outdatedBy, rereadLists } = await loadKeys()
      if (signal.aborted) return
      noteChange(queryClient, event)
      // The bell counts, and may tell, while nobody looks: what it asks for keeps no session alive.
      const refetchType = isWatched() || event?.kind === 'inbox' ? 'active' : 'none'
      const wait = setTimeout(() => {
        for (const queries of outdatedBy(event)) queryClient.invalidateQueries({ ...queries, refetchType })
        if (event?.isAnew) rereadLists(queryClient)
      }, Math.random() * JITTER_MS)
      signal.addEventListener('abort', () => clearTimeout(wait), { once: true })
    }
    hearLive({
      signal,
      onEvent(event) {
        const { change: brought } = event
        refresh(event)
        if (brought) setChange((unread) => addChange(unread, brought))
      },
      onGap: () => refresh(null),
      // Whatever answers `signed_out` leads to the sign-in page.
      onSignedOut: () => queryClient.refetchQueries({ queryKey: sessionKey }),
    })
    return () => leaving.abort()
  }, [queryClient])

  return <LiveNotice change={change} onDismiss={() => setChange(NO_CHANGE)} />
}

type DataChange = Required<LiveEvent>['change']
const NO_CHANGE: DataChange = { added: 0, removed: 0 }

function addChange(unread: DataChange, heard: DataChange): DataChange {
  return { added: unread.added + heard.added, removed: unread.removed + heard.removed }
}

type LiveNoticeProps = {
  change: DataChange
  onDismiss(): void
}

/** Says what has come to the vendor. It stays until it is dismissed. */
function LiveNotice({ change: { added, removed }, onDismiss }: LiveNoticeProps) {
  return (
    <div role="status" className="fixed right-4 bottom-4 z-40 max-w-96 print:hidden">
      {(added > 0 || removed > 0) && (
        <div className="flex items-start gap-3 rounded-lg border border-line bg-surface p-3 text-sm shadow-lg">
          <Icon name="info" className="mt-0.5 size-4 shrink-0 text-accent" />
          <ul className="min-w-0 space-y-1">
            {added > 0 && (
              <li>
                <Link to="/threats" className="font-medium text-accent hover:underline">
                  {countOf(added, 'record')} added
                </Link>{' '}
                to the vendor
              </li>
            )}
            {removed > 0 && <li>{countOf(removed, 'record')} removed from the vendor</li>}
          </ul>
          <IconButton icon="x" label="Dismiss" onClick={onDismiss} />
        </div>
      )}
    </div>
  )
}

const AWAY_AFTER_MS = 5 * 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

type WatchPresenceOptions = { signal: AbortSignal; onReturn(): void }

/** Tells whether somebody is at the page: it is in sight, and was touched within five minutes. */
function watchPresence({ signal, onReturn }: WatchPresenceOptions): () => boolean {
  let lastSign = performance.now()
  const isWatched = () =>
    document.visibilityState === 'visible' && performance.now() - lastSign < AWAY_AFTER_MS

  const notice = () => {
    const wasAway = performance.now() - lastSign >= AWAY_AFTER_MS
    lastSign = performance.now()
    if (wasAway) onReturn()
  }
  for (const sign of SIGNS) document.addEventListener(sign, notice, { signal, passive: true })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState !== 'visible') return
      lastSign = performance.now()
      onReturn()
    },
    { signal },
  )
  return isWatched
}
