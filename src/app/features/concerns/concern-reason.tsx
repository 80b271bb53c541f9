import { Badge } from '#app/ui/badge.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Concern } from '#contract/bff/concern.ts'
import type { ListKind, MatchRule } from '#contract/bff/match-facts.ts'
import { defang, defangProse } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'

const KINDS: Readonly<Record<ListKind, string>> = {
  own: 'Own brand',
  supplier: 'Supplier',
  customer: 'Customer',
  peer: 'Peer',
  other: 'Listed',
}

const RULES: Readonly<Record<MatchRule, string>> = {
  domain: 'same domain',
  name: 'same name',
  'name-in-text': 'name in the text',
  abbreviation: 'abbreviation of the name',
  similar: 'similar name',
  'brand-in-domain': 'name within a domain',
  'shared-name': 'several organisations have this name',
}
const NAME_MAX_LENGTH = 60
const TEXT_MAX_LENGTH = 120

/** The strongest reason why a threat concerns the reader; a question mark where a person has to confirm it. */
export function ConcernReason({ concerns, isShort }: { concerns: readonly Concern[]; isShort: boolean }) {
  const [first, ...others] = concerns
  if (!first) return null
  const isCertain = first.certainty === 'certain'
  const reason = reasonOf(first)
  return (
    // Above the link of a row, or its title would not be shown.
    <span
      className="relative inline-flex min-w-0 max-w-60 shrink-0 print:max-w-[65%] print:shrink print:[&_*]:h-auto print:[&_*]:whitespace-normal"
      title={reason}
    >
      <Badge tone={isCertain ? 'danger' : 'warning'}>
        {KINDS[first.kind]}
        {isCertain ? '' : '?'}
        <span className={isShort ? 'max-sm:sr-only print:not-sr-only' : undefined}>
          {isCertain ? ': ' : ' '}
          <Untrusted text={first.entryName} maxLength={NAME_MAX_LENGTH} clip="silent" />
        </span>
        {others.length > 0 && ` +${others.length}`}
        <span className="sr-only print:not-sr-only"> ({reason})</span>
      </Badge>
    </span>
  )
}

/** Inert, and in one line: an attribute shows it. */
function reasonOf({ rule, text, listName }: Concern): string {
  const isDomain = rule === 'domain' || rule === 'brand-in-domain'
  const inert = isDomain ? defang(text) : defangProse(text)
  const words = visibleLine(inert).slice(0, TEXT_MAX_LENGTH)
  return `${RULES[rule]} ${isDomain ? words : `“${words}”`}, list ${visibleLine(listName)}`
}
