import { useState, useSyncExternalStore } from 'react'
import { readBuild, subscribeToBuild } from '#app/api/app-build.ts'
import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Time } from '#app/ui/time.tsx'
import { useIsOnline } from '#app/ui/use-is-online.ts'

/** Says that the page goes on from memory, or that it is older than the server. Read out, as nobody may look there. */
export function ConnectionBanner() {
  const isOnline = useIsOnline()
  const build = useSyncExternalStore(subscribeToBuild, readBuild)
  return (
    <div role="status" className="print:hidden">
      {!isOnline && <AwayBanner />}
      {build !== 'same' && (
        <Banner tone={build === 'newer' ? 'info' : 'warning'}>
          {build === 'newer'
            ? 'Lantern was upgraded since this page was opened.'
            : 'A part of this page could not be loaded.'}{' '}
          Reload when it suits you: filters, alert drafts and comments are kept. <ReloadButton />
        </Banner>
      )}
    </div>
  )
}

function AwayBanner() {
  const [since] = useState(Date.now)
  return (
    <Banner tone="warning">
      {navigator.onLine ? 'Lantern is not answering' : 'You are offline'} since{' '}
      <Time at={since} show="clock" />. What was loaded can be read. Triage and other changes are refused
      until Lantern answers. The page tries again by itself.
    </Banner>
  )
}

/** In the place of a page that cannot be had now. */
export function PageAway() {
  const isOnline = useIsOnline()
  const build = useSyncExternalStore(subscribeToBuild, readBuild)
  return (
    <div className="grid gap-4 py-2">
      <DocumentTitle title={isOnline ? 'Reload needed' : 'Not loaded yet'} />
      <h1 className="font-semibold text-xl tracking-tight">
        {isOnline ? 'This page needs a reload' : 'This page is not loaded yet'}
      </h1>
      <div className="rounded-lg border border-line bg-surface">
        {isOnline ? (
          <EmptyState
            icon="refresh"
            title={
              build === 'newer'
                ? 'Lantern was upgraded since you opened it'
                : 'A part of it could not be loaded'
            }
          >
            <p>Filters, alert drafts and comments are kept.</p>
            <p className="mt-3">
              <ReloadButton />
            </p>
          </EmptyState>
        ) : (
          <EmptyState icon="clock" title={navigator.onLine ? 'Lantern is not answering' : 'You are offline'}>
            It opens here by itself as soon as Lantern answers. The pages that you had open can be read
            meanwhile.
          </EmptyState>
        )}
      </div>
    </div>
  )
}

/** Never by itself: what was typed and is not kept would be lost. */
function ReloadButton() {
  return (
    <Button size="small" icon="refresh" onClick={() => location.reload()}>
      Reload
    </Button>
  )
}
