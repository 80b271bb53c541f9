import { visibleLine } from '#app/format/visible-text.ts'
import { Badge } from '#app/ui/badge.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import { defangText } from '#contract/defang.ts'
import { FeedLink } from './feed-link.tsx'

const TITLE_MAX_LENGTH = 400
const TAB_MAX_LENGTH = 80

/** Stands as soon as the list knows the threat, before the record itself is there. */
export function ThreatHeading({ threat }: { threat: Threat }) {
  const { title, category, publishedAt } = threat
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <DocumentTitle
        title={
          visibleLine(defangText(title ?? ''))
            .slice(0, TAB_MAX_LENGTH)
            .trim() || 'Untitled threat'
        }
      />
      <h1 className="max-w-[60ch] font-semibold text-2xl tracking-tight">
        <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
      </h1>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        {threat.severity === null ? (
          <SeverityMark severity={null} />
        ) : (
          <FeedLink filter={{ severity: [threat.severity] }}>
            <SeverityMark severity={threat.severity} />
          </FeedLink>
        )}
        {category !== null && (
          <FeedLink filter={{ category: [category] }}>
            <Badge>
              <Untrusted text={category} maxLength={60} clip="silent" />
            </Badge>
          </FeedLink>
        )}
        {publishedAt !== null && (
          <span>
            <Time at={publishedAt} /> · <Time at={publishedAt} show="age" />
          </span>
        )}
      </div>
    </div>
  )
}
