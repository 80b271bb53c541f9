import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { LanternProfile } from '#contract/bff/alert-profile.ts'

/** Why a profile sends nothing, where its search cannot be understood any more. */
export function FilterFaultsNote({ profile: { filterFaults } }: { profile: LanternProfile }) {
  if (!filterFaults) return null
  return (
    <p className="flex gap-1.5 text-medium text-xs">
      <Icon name="alert" className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0">
        Nothing is sent: the search cannot be understood.{' '}
        <Untrusted text={filterFaults.join(' ')} maxLength={300} clip="silent" />
      </span>
    </p>
  )
}
