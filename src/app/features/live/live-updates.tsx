import { partialMatchKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { ProfileTrigger } from '#contract/bff/live.ts'
import { hearLive } from './hear-live.ts'
import { ALL_KEYS, keysOf } from './keys-of.ts'

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

/** What nobody has read yet, and what came since: each profile once, by its latest name. */
function addTriggers(unread: readonly ProfileTrigger[], heard: readonly ProfileTrigger[]): ProfileTrigger[] {
  const byId = new Map(unread.map((trigger) => [trigger.id, trigger]))
  for (const trigger of heard) {
    const newMatches = (byId.get(trigger.id)?.newMatches ?? 0) + trigger.newMatches
    byId.set(trigger.id, { ...trigger, newMatches })
  }
  return [...byId.values()]
}

type LiveNoticeProps = {
  triggers: readonly ProfileTrigger[]
  renderProfile(trigger: ProfileTrigger): ReactNode
  onDismiss(): void
}

/** Says which alert profiles have just matched something new. It stays until it is dismissed: it is what people wait for. */
function LiveNotice({ triggers, renderProfile, onDismiss }: LiveNoticeProps) {
  return (
    <div role="status" className="fixed right-4 bottom-4 z-40 max-w-96 print:hidden">
      {triggers.length > 0 && (
        <div className="flex items-start gap-3 rounded-lg border border-line bg-surface p-3 text-sm shadow-lg">
          <Icon name="info" className="mt-0.5 size-4 shrink-0 text-accent" />
          <ul className="min-w-0 space-y-1">
            {triggers.map((trigger) => (
              <li key={trigger.id}>
                {countOf(trigger.newMatches, 'new threat matches', 'new threats match')}{' '}
                {renderProfile(trigger)}
              </li>
            ))}
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
