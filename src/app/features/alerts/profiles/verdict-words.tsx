import { Badge } from '#app/ui/badge.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatProfiles } from '#contract/bff/alert.ts'
import { QuotedKeywords } from './quoted-keywords.tsx'

export type Verdict = ThreatProfiles['profiles'][number]

/** Says in a word and a sentence if a profile matches a threat, and why. */
export function VerdictWords({ verdict }: { verdict: Verdict }) {
  const isMatch = verdict.verdict === 'matches'
  return (
    <>
      <Badge tone={isMatch ? 'accent' : 'neutral'}>{isMatch ? 'Matches' : 'Does not match'}</Badge>{' '}
      <Reason verdict={verdict} />
    </>
  )
}

function Reason({ verdict: { verdict, keywords, categories } }: { verdict: Verdict }) {
  if (verdict === 'no_keyword') return 'The threat contains none of its keywords.'
  if (verdict === 'no_match') return 'Its search does not find the threat.'
  if (keywords.length === 0) return 'Its search finds the threat.'
  return (
    <>
      The threat contains <QuotedKeywords keywords={keywords} />
      {verdict === 'other_category' && (
        <>
          , but the profile asks for the category{' '}
          <Untrusted text={categories.join(' or ')} maxLength={120} clip="silent" />
        </>
      )}
      .
    </>
  )
}
