import { type ReactNode, useEffect, useRef } from 'react'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { CopyForms } from '#app/ui/copy-forms.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ThreatDate } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatAnswer } from '#contract/bff/threat-list.ts'
import { defangProse } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { FeedLink } from './threat-section.tsx'

const TITLE_MAX_LENGTH = 400
const TAB_MAX_LENGTH = 80

type ThreatHeadingProps = {
  /** Undefined before anything is known of it. */
  threat: ThreatAnswer['threat'] | undefined
  isGone: boolean
  /** How old what is shown is. */
  age: ReactNode
}

/** Stands as soon as anything is known of the threat, and takes the focus as it opens. */
export function ThreatHeading({ threat, isGone, age }: ThreatHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <DocumentTitle title={threat ? tabTitle(threat) : 'Threat'} />
      <h1
        ref={heading}
        tabIndex={-1}
        className="max-w-[60ch] font-semibold text-2xl tracking-tight outline-none"
      >
        {threat ? <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} /> : <UnknownTitle />}
      </h1>
      {threat ? (
        <HeadingFacts threat={threat} isGone={isGone} age={age} />
      ) : (
        <Skeleton className="h-4 w-72" />
      )}
    </div>
  )
}

function tabTitle({ title }: Threat): string {
  const line = visibleLine(defangProse(title ?? ''))
  return line.slice(0, TAB_MAX_LENGTH).trim() || 'Untitled threat'
}

function UnknownTitle() {
  return (
    <>
      <VisuallyHidden>Threat</VisuallyHidden>
      <Skeleton className="h-7 w-96 max-w-full" />
    </>
  )
}

/** The facts beside the title. Each links to the threats that share it. */
function HeadingFacts({
  threat,
  isGone,
  age,
}: {
  threat: ThreatAnswer['threat']
  isGone: boolean
  age: ReactNode
}) {
  const { title, severity, category } = threat
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      <ConcernBadge concerns={threat.concerns} />
      {isGone && <Badge tone="warning">Gone from the source</Badge>}
      {severity === null ? (
        <SeverityMark severity={null} />
      ) : (
        <FeedLink filter={{ severity: [severity] }}>
          <SeverityMark severity={severity} />
        </FeedLink>
      )}
      {threat.isSeverityDerived && <span>derived by a rule</span>}
      {category !== null && (
        <FeedLink filter={{ category: [category] }}>
          <Badge>
            <Untrusted text={category} maxLength={60} clip="silent" />
          </Badge>
        </FeedLink>
      )}
      <ThreatDate threat={threat} />
      {title !== null && <CopyForms text={title} />}
      {age}
    </div>
  )
}
