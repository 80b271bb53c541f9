import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Banner } from '#app/ui/banner.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useIsOnline } from '#app/ui/use-is-online.ts'
import { useNow } from '#app/ui/use-now.ts'
import { type Notice, sourceNotices } from './source-notices.ts'
import { sourceOptions } from './source-options.ts'

const REMEDIES: Readonly<Record<Required<Notice>['remedy'], string>> = {
  replace_key: 'Replace the key',
  import: 'Import records of your own',
}

export function SourceBanners() {
  const { data: source, error, dataUpdatedAt } = useQuery(sourceOptions())
  const { data: session } = useQuery(sessionOptions())
  // The banner for a lost connection is above these.
  const isOnline = useIsOnline()
  const now = useNow()
  const timeZone = useTimeZone()

  return (
    <aside aria-label="State of the data">
      {error && isOnline && source && (
        <Banner tone="warning">
          {error.message}. You see what was read by <Time at={dataUpdatedAt} show="clock" />; Lantern keeps
          trying.
        </Banner>
      )}
      {source &&
        sourceNotices(source, { now, timeZone }).map(({ tone, text, quote, remedy }) => (
          <Banner key={text} tone={tone}>
            {text}
            {quote && (
              <>
                {' '}
                It answered: “<Untrusted text={quote} maxLength={160} />”
              </>
            )}
            {remedy && session?.user.role === 'admin' && (
              <>
                {' '}
                <Link
                  to="/settings"
                  search={{ tab: 'api' }}
                  className="font-medium text-accent underline-offset-2 hover:underline print:hidden"
                >
                  {REMEDIES[remedy]}
                </Link>
              </>
            )}
            {remedy === 'import' && session?.user.role !== 'admin' && ' An admin can import real ones.'}
          </Banner>
        ))}
    </aside>
  )
}
