import { countOf } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ListPart } from '#contract/bff/threat.ts'
import type { Watch } from '#contract/bff/watch.ts'

const PARTS: Readonly<Record<ListPart, string>> = {
  analysis: 'which threats have an analysis',
  evidence: 'which threats have evidence',
  source: 'where a threat was seen',
}

/** Why a watch tells less than its search sounds like; nothing where it tells all that matches. */
export function WatchCaveat({ caveat }: Pick<Watch, 'caveat'>) {
  if (!caveat) return null
  return (
    <p className="flex gap-1.5 text-medium text-xs">
      <Icon name="alert" className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0">
        {caveat.kind === 'unsaid' &&
          `This source’s lists do not say ${caveat.parts.map((part) => PARTS[part]).join(', nor ')}: of what depends on it, nothing is ever told.`}
        {caveat.kind === 'undecided' &&
          `Tells only of threats whose list says what it looks for: of ${countOf(caveat.threats, 'stored threat')}, nobody can know.`}
        {caveat.kind === 'refused' && (
          <>
            Nothing is told, as its search cannot be understood.{' '}
            <Untrusted text={caveat.reasons.join(' ')} maxLength={300} clip="silent" />
          </>
        )}
      </span>
    </p>
  )
}
