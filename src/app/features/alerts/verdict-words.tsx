import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatProfiles } from '#contract/bff/alert.ts'
import { QuotedKeywords } from './quoted-keywords.tsx'

export type Verdict = ThreatProfiles['profiles'][number]

/** Why a profile does, or does not, match a threat: a sentence. */
export function VerdictWords({ verdict: { verdict, keywords, categories } }: { verdict: Verdict }) {
  if (verdict === 'no_keyword') return <>Does not match: the threat holds none of its keywords.</>
  if (verdict === 'matches') {
    return (
      <>
        Matches: the threat holds <QuotedKeywords keywords={keywords} />.
      </>
    )
  }
  return (
    <>
      Does not match: the threat holds <QuotedKeywords keywords={keywords} />, but the profile asks for the
      category <Untrusted text={categories.join(' or ')} maxLength={120} clip="silent" />.
    </>
  )
}
