import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '#app/ui/banner.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { sourceNotices } from './source-notices.ts'
import { sourceOptions } from './source-options.ts'

type SourceBannersProps = {
  /** Leads to where the key is replaced, for those who may. */
  keySettings: ReactNode
}

export function SourceBanners({ keySettings }: SourceBannersProps) {
  const { data: source, error, fetchStatus, dataUpdatedAt } = useQuery(sourceOptions())
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
            {isOfKey && <> {keySettings}</>}
          </Banner>
        ))}
    </aside>
  )
}
