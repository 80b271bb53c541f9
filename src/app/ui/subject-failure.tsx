import type { ReactNode } from 'react'
import { visibleLine } from '#contract/visible-text.ts'
import { DocumentTitle } from './document-title.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorPanel } from './error-panel.tsx'
import type { IconName } from './icon.tsx'
import { Untrusted } from './untrusted.tsx'

type SubjectFailureProps = {
  /** As the address has it. */
  name: string
  /** The page's title where the name shows nothing. */
  noun: string
  error: Error
  /** For an unknown subject: the message and a link to search instead. Null for any other failure. */
  unknown: { icon?: IconName; title: string; reason: ReactNode; links: ReactNode } | null
  onRetry(): void
}

const TAB_MAX_LENGTH = 80
const NAME_MAX_LENGTH = 200

/** The page of something that cannot be shown. */
export function SubjectFailure({ name, noun, error, unknown, onRetry }: SubjectFailureProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={visibleLine(name).slice(0, TAB_MAX_LENGTH).trim() || noun} />
      <h1 className="font-semibold text-2xl tracking-tight">
        <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
      </h1>
      {unknown ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon={unknown.icon} title={unknown.title}>
            <p>{unknown.reason}</p>
            <p className="mt-3 flex flex-wrap justify-center gap-4 [&_a]:touch [&_a]:font-medium [&_a]:text-accent [&_a]:hover:underline">
              {unknown.links}
            </p>
          </EmptyState>
        </div>
      ) : (
        <ErrorPanel error={error} onRetry={onRetry} />
      )}
    </div>
  )
}
