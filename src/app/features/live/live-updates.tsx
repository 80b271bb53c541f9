import { partialMatchKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ProfileTrigger } from '#contract/bff/live.ts'
import { addTriggers } from './add-triggers.ts'
import { hearLive } from './hear-live.ts'
import { ALL_KEYS, keysOf } from './keys-of.ts'
import { LiveNotice } from './live-notice.tsx'
import { watchPresence } from './watch-presence.ts'

/** So that many open pages do not ask at the same moment. */
const JITTER_MS = 1_500

type LiveUpdatesProps = { renderProfile(trigger: ProfileTrigger): ReactNode }

/**
 * Keeps what is on the page in step with the server. While nobody looks, answers are only marked as old: fetching them
 * would keep the session of an abandoned page alive. They are fetched when somebody is back.
 */
export function LiveUpdates({ renderProfile }: LiveUpdatesProps) {
  const queryClient = useQueryClient()
  const [triggers, setTriggers] = useState<readonly ProfileTrigger[]>([])

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const isWatched = watchPresence({
      signal,
      onReturn: () => queryClient.refetchQueries({ type: 'active', stale: true, predicate: isLive }),
    })
    const refresh = (keys: readonly QueryKey[]) => {
      const refetchType = isWatched() ? 'active' : 'none'
      const wait = setTimeout(() => {
        for (const queryKey of keys) queryClient.invalidateQueries({ queryKey, refetchType })
      }, Math.random() * JITTER_MS)
      signal.addEventListener('abort', () => clearTimeout(wait), { once: true })
    }
    hearLive({
      signal,
      onEvent({ kind, triggers: heard }) {
        refresh(keysOf(kind))
        if (heard) setTriggers((unread) => addTriggers(unread, heard))
      },
      onGap: () => refresh(ALL_KEYS),
    })
    return () => leaving.abort()
  }, [queryClient])

  return <LiveNotice triggers={triggers} renderProfile={renderProfile} onDismiss={() => setTriggers([])} />
}

function isLive({ queryKey }: { queryKey: QueryKey }): boolean {
  return ALL_KEYS.some((key) => partialMatchKey(queryKey, key))
}
