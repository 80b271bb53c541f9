import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Banner } from '#app/ui/banner.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { sourceNotices } from './source-notices.ts'
import { sourceOptions } from './source-options.ts'

export function SourceBanners() {
  const { data: source, error, fetchStatus, dataUpdatedAt } = useQuery(sourceOptions())
  const { data: session } = useQuery(sessionOptions())
  const isOffline = fetchStatus === 'paused'
  const now = useNow()
  const timeZone = useTimeZone()

  return (
    <aside aria-label="State of the data">
      {(isOffline || error) && source && (
        <Banner tone="warning">
          {isOffline ? 'You are offline' : error?.message}. You see what was read by{' '}
          <Time at={dataUpdatedAt} show="clock" />; Lantern keeps trying.
        </Banner>
      )}
      {source &&
        sourceNotices(source, { now, timeZone }).map(({ tone, text, quote, isOfKey }) => (
          <Banner key={text} tone={tone}>
            {text}
            {quote && (
              <>
                {' '}
                It answered: “<Untrusted text={quote} maxLength={160} />”
              </>
            )}
            {isOfKey && session?.user.role === 'admin' && (
              <>
                {' '}
                <Link
                  to="/settings"
                  search={{ tab: 'api' }}
                  className="font-medium text-accent underline-offset-2 hover:underline"
                >
                  Replace the key
                </Link>
              </>
            )}
          </Banner>
        ))}
    </aside>
  )
}
