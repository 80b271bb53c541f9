import { Link } from '@tanstack/react-router'
import { countOf } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { visibleLine } from '#contract/visible-text.ts'
import type { ImportedDraft } from './draft-store.ts'
import { KeywordList } from './keyword-list.tsx'

type ImportedDraftsProps = {
  drafts: readonly ImportedDraft[]
  /** What of the file could not be taken. */
  problems: readonly string[]
  profiles: readonly AlertProfile[]
  onDiscard(id: string): void
  onDiscardAll(): void
}

/** What came from a file: each draft is looked at in the builder, with its backtest, before it becomes a profile. */
export function ImportedDrafts(props: ImportedDraftsProps) {
  const { drafts, problems, profiles, onDiscard, onDiscardAll } = props
  const names = new Set(profiles.map(({ name }) => name))
  return (
    <SectionCard
      title={drafts.length > 0 ? `${countOf(drafts.length, 'imported draft')} to review` : 'Nothing imported'}
      note={<span className="text-faint text-xs">Addresses are not part of the file.</span>}
      tools={
        <Button size="small" variant="quiet" onClick={onDiscardAll}>
          {drafts.length > 0 ? 'Discard all' : 'Close'}
        </Button>
      }
    >
      {problems.length > 0 && (
        <div role="alert" className="border-line border-b px-4 py-2 text-medium text-sm">
          <ul className="grid gap-1">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <ul className="divide-y divide-line">
        {drafts.map(({ id, name, keywords }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 gap-1">
              <span className="flex min-w-0 items-center gap-2">
                <span className="min-w-0 truncate font-medium">
                  <Untrusted text={name} maxLength={120} clip="silent" />
                </span>
                {names.has(name) && <Badge tone="warning">A profile of this name exists</Badge>}
              </span>
              <KeywordList keywords={keywords} maxCount={8} />
            </div>
            <Link
              to="/alerts/new"
              search={{ import: id }}
              aria-label={`Review ${visibleLine(name)}`}
              className={buttonLook({ size: 'small' })}
            >
              Review
            </Link>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Discard ${visibleLine(name)}`}
              onClick={() => onDiscard(id)}
            >
              Discard
            </Button>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
