import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { CreatedServiceKey } from '#contract/bff/service-key.ts'
import { serviceKeyMutations, serviceKeysOptions } from './key-options.ts'
import { NewServiceKeyForm } from './new-service-key-form.tsx'
import { ServiceKeyTable } from './service-key-table.tsx'

/** Keys by which other programs ask Lantern's own service. */
export function ServiceKeys() {
  const { data, error, refetch } = useQuery(serviceKeysOptions())
  const revoke = useMutation(serviceKeyMutations(useQueryClient()).revoke)
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState<CreatedServiceKey | null>(null)

  if (!data && error) return <ErrorPanel error={error} onRetry={() => refetch()} />
  return (
    <SectionCard
      title={data ? countOf(data.keys.length, 'key of the service', 'keys of the service') : 'Service keys'}
      tools={
        <Button icon="plus" size="small" onClick={() => setIsMaking(true)}>
          New key
        </Button>
      }
    >
      <p
        role="alert"
        className="text-critical text-sm not-empty:border-line not-empty:border-b not-empty:px-4 not-empty:py-2"
      >
        {revoke.error && `${explainError(revoke.error).message}. ${explainError(revoke.error).detail}`}
      </p>
      {data ? (
        <ServiceKeyTable keys={data.keys} isBusy={revoke.isPending} onRevoke={(id) => revoke.mutate(id)} />
      ) : (
        <Skeleton className="m-4 h-24" />
      )}
      <Dialog isOpen={isMaking} onClose={() => setIsMaking(false)} title="New service key" size="small">
        <NewServiceKeyForm
          onMade={(created) => {
            setIsMaking(false)
            setMade(created)
          }}
        />
      </Dialog>
      <Dialog isOpen={made !== null} onClose={() => setMade(null)} title="The key">
        {made && <MadeKey token={made.token} />}
      </Dialog>
    </SectionCard>
  )
}

function MadeKey({ token }: { token: string }) {
  return (
    <div className="grid gap-3">
      <p>Copy it now: it is not kept and not shown again. Programs send it as a Bearer token.</p>
      <SecretField label="Key" value={token} isFirstFocus />
    </div>
  )
}
