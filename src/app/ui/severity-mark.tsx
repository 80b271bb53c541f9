import { Untrusted } from './untrusted.tsx'

type SeverityMarkProps = {
  /** As sent: any text; null when the record has none. */
  severity: string | null
  /** A rule made it: the record’s source states none. */
  isDerived?: boolean | undefined
}

// A shape for each level, so that neither colour nor the word has to speak alone.
const LEVELS = new Map([
  ['critical', { word: 'Critical', color: 'text-critical', path: 'M1 1h10v10H1z' }],
  ['high', { word: 'High', color: 'text-high', path: 'M6 .5 12 11H0z' }],
  ['medium', { word: 'Medium', color: 'text-medium', path: 'm6 0 6 6-6 6-6-6z' }],
  ['low', { word: 'Low', color: 'text-low', path: 'M0 1h12L6 12zm2.9 1.8L6 8.5l3.1-5.7z' }],
])

const RING = 'M6 11A5 5 0 1 0 6 1a5 5 0 0 0 0 10zM6 9.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z'

export function SeverityMark({ severity, isDerived = false }: SeverityMarkProps) {
  const level = LEVELS.get(severity?.trim().toLowerCase() ?? '')
  return (
    <span
      className={`inline-flex min-w-0 max-w-full items-center gap-1.5 whitespace-nowrap font-medium text-xs ${level?.color ?? 'text-faint'}`}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0" fill="currentColor">
        <path d={level?.path ?? RING} />
      </svg>
      <span className="min-w-0 truncate">
        {level?.word ?? (severity ? <Untrusted text={severity} maxLength={24} clip="silent" /> : 'Not rated')}
        {isDerived && <abbr title="derived by a rule">*</abbr>}
      </span>
    </span>
  )
}
