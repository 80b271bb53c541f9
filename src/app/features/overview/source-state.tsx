import { Suspense } from 'react'
import { FailureNote } from '#app/ui/failure-note.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { REFUSED_KEY_STATE, type SetState, type Source } from '#contract/bff/source.ts'

const KEYS: Readonly<Record<Source['key'], { words: string; isGood: boolean }>> = {
  valid: { words: 'Accepted by the API', isGood: true },
  unknown: { words: 'Not tried yet', isGood: true },
  missing: { words: 'None is set', isGood: false },
  [REFUSED_KEY_STATE]: { words: 'Refused by the API', isGood: false },
}
const NOT_FOUND_OUT = 'Not known yet'
const SETS: Readonly<Record<SetState['status'], string>> = {
  permitted: 'In the plan',
  forbidden: 'Not in the plan',
  absent: 'Not offered by this vendor',
  withoutList: 'Without a list of threats',
  unknown: 'Not tried yet',
}

const StoredSummary = lazyWhenIdle(
  async () => (await import('#app/features/source/stored-summary.tsx')).StoredSummary,
)

/** Says what the key may do and what is stored. */
export function SourceState({ source: { kind, key, sets, trialExpiresAt } }: { source: Source }) {
  const isTried = sets.v1.failure !== undefined || sets.earlier.failure !== undefined
  return (
    <SectionCard title="Key and stored threats">
      <div className="grid gap-x-8 gap-y-4 px-4 py-3 text-sm sm:grid-cols-2">
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] content-start gap-x-4 gap-y-1 [&>dt]:text-muted">
          <dt>Vendor</dt>
          <dd>{kind === 'embedded' ? 'Lantern’s own service' : 'The vendor’s API'}</dd>
          <dt>Key</dt>
          <dd className={`flex items-center gap-1.5 ${KEYS[key].isGood ? '' : 'text-critical'}`}>
            {!KEYS[key].isGood && <Icon name="alert" className="size-3.5" />}
            {key === 'unknown' && isTried ? NOT_FOUND_OUT : KEYS[key].words}
          </dd>
          <dt>API v1</dt>
          <SetFact state={sets.v1} />
          <dt>Earlier API</dt>
          <SetFact state={sets.earlier} />
          {trialExpiresAt && (
            <>
              <dt>Trial ends</dt>
              <dd>
                <Time at={trialExpiresAt} />
              </dd>
            </>
          )}
        </dl>
        <div>
          <h3 className="text-muted">Threats stored here</h3>
          <Suspense fallback={null}>
            <StoredSummary />
          </Suspense>
        </div>
      </div>
    </SectionCard>
  )
}

function SetFact({ state: { status, failure } }: { state: SetState }) {
  return (
    <dd>
      {status === 'unknown' && failure ? NOT_FOUND_OUT : SETS[status]}
      {failure && <FailureNote failure={failure} />}
    </dd>
  )
}
