import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { threatProfilesOptions } from './alert-options.ts'
import { readThreatId } from './read-threat-id.ts'
import { VerdictWords } from './verdict-words.tsx'

type ProfileExplainerProps = {
  profile: AlertProfile
  threatId: string | undefined
  onExplain(threatId: string): void
}

/** Why a threat does, or does not, match this profile. */
export function ProfileExplainer({ profile, threatId, onExplain }: ProfileExplainerProps) {
  const [text, setText] = useState(threatId ?? '')
  const [isRefused, setIsRefused] = useState(false)

  const explain = (event: FormEvent) => {
    event.preventDefault()
    const id = readThreatId(text)
    setIsRefused(id === null)
    if (id !== null) onExplain(id)
  }
  return (
    <SectionCard title="Why did a threat not match?">
      <div className="grid gap-3 px-4 py-3">
        <form noValidate className="flex items-start gap-2" onSubmit={explain}>
          <TextField
            label="Threat id or address"
            className="flex-1"
            value={text}
            spellCheck={false}
            autoComplete="off"
            error={isRefused && 'Paste the id of a threat, or the address of its page.'}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" className="mt-5 max-sm:h-11">
            Explain
          </Button>
        </form>
        {threatId !== undefined && <Verdict profile={profile} threatId={threatId} />}
      </div>
    </SectionCard>
  )
}

function Verdict({ profile, threatId }: { profile: AlertProfile; threatId: string }) {
  const { data, error, refetch } = useQuery(threatProfilesOptions(threatId))
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />
  const verdict = data?.profiles.find(({ id }) => id === profile.id)
  return (
    <p role="status" className="text-sm">
      {!data && <span className="text-muted">Comparing…</span>}
      {data && !verdict && 'The profile is not in the list that the threat was compared with.'}
      {verdict && (
        <>
          <VerdictWords verdict={verdict} />{' '}
          <Link
            to="/threats/$id"
            params={{ id: threatId }}
            className="touch rounded-sm font-medium text-accent hover:underline"
          >
            Open the threat
          </Link>
        </>
      )}
    </p>
  )
}
