import { Link } from '@tanstack/react-router'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Concern } from '#contract/bff/concern.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { findEvidence } from './find-evidence.ts'
import { QuotedKeywords } from './quoted-keywords.tsx'

type MatchItemProps = { threat: Threat & { concerns?: Concern[] | undefined }; keywords: readonly string[] }

const TITLE_MAX_LENGTH = 200
/** Fields in which what looks like a domain is one: an actor's name may look so, too. */
const PROSE = new Set(['Excerpt', 'Domain', 'Victim'])

/** A record that keywords match, with the words that did it marked. */
export function MatchItem({ threat, keywords }: MatchItemProps) {
  const { title, passages, elsewhere } = findEvidence(threat, keywords)
  return (
    <li className="grid gap-1 px-4 py-2.5 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to="/threats/$id"
          params={{ id: threat.id }}
          className="touch min-w-0 rounded-sm font-medium text-sm hover:underline"
        >
          <ThreatTitle threat={threat} highlights={title} maxLength={TITLE_MAX_LENGTH} />
        </Link>
        <span className="shrink-0 text-muted text-xs">
          <ThreatAge threat={threat} />
        </span>
      </div>
      {passages.map(({ field, text, ranges }) => (
        <p key={`${field} ${text}`} className="text-muted text-xs">
          {field !== 'Excerpt' && <span className="text-faint">{field}: </span>}
          <Untrusted text={text} highlights={ranges} clip="silent" isProse={PROSE.has(field)} />
        </p>
      ))}
      {elsewhere.length > 0 && (
        <p className="text-faint text-xs">
          <QuotedKeywords keywords={elsewhere} /> {elsewhere.length === 1 ? 'stands' : 'stand'} in a part that
          the threat’s own page shows.
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-faint text-xs">
        <SeverityMark severity={threat.severity} />
        <ConcernBadge concerns={threat.concerns} />
        {threat.category !== null && <Untrusted text={threat.category} clip="silent" maxLength={60} />}
      </p>
    </li>
  )
}
