import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Popover } from '#app/ui/popover.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { inboxOptions } from './inbox-options.ts'

const InboxPanel = lazy(async () => ({ default: (await import('./inbox-panel.tsx')).InboxPanel }))

const DesktopNotices = lazyWhenIdle(async () => (await import('./desktop-notices.ts')).DesktopNotices)

const SHOWN_MAX = 99

/** Notifications for the user, failures, and the count of unseen ones. Its icon is not in the set that every page loads. */
export function Bell() {
  const query = useQuery(inboxOptions())
  const { data } = query
  const unread = data?.unread ?? 0
  const words = unread > SHOWN_MAX ? `${SHOWN_MAX}+` : String(unread)
  return (
    <>
      <Suspense fallback={null}>
        <DesktopNotices inbox={data} />
      </Suspense>
      <Popover
        label="Notifications"
        align="end"
        className="w-96"
        renderTrigger={(props) => (
          <button
            type="button"
            title="Notifications"
            aria-label={`Notifications, ${unread === 0 ? 'none' : words} unread`}
            className="relative grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-sm:size-11"
            {...props}
          >
            <svg
              viewBox="0 0 16 16"
              aria-hidden="true"
              className="size-4"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeLinejoin="round"
            >
              <path d="M3 11.5h10L11.5 9.5V6.5a3.5 3.5 0 0 0-7 0v3zM6.8 13.8h2.4" />
            </svg>
            {unread > 0 && (
              <span
                aria-hidden="true"
                className="absolute top-0 left-1/2 min-w-4 rounded-full bg-accent px-1 text-center font-semibold text-2xs text-on-accent leading-4 max-sm:top-1.5"
              >
                {words}
              </span>
            )}
          </button>
        )}
      >
        <Suspense fallback={<div className="h-40" />}>
          <InboxPanel query={query} />
        </Suspense>
      </Popover>
    </>
  )
}
