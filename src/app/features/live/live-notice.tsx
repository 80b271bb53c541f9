import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import type { ProfileTrigger } from '#contract/bff/live.ts'

type LiveNoticeProps = {
  triggers: readonly ProfileTrigger[]
  renderProfile(trigger: ProfileTrigger): ReactNode
  onDismiss(): void
}

/** Says which alert profiles have just matched something new. It stays until it is dismissed: it is what people wait for. */
export function LiveNotice({ triggers, renderProfile, onDismiss }: LiveNoticeProps) {
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
