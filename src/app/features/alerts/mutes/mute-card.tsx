import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Mute } from '#contract/bff/alert-mute.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { MuteButton } from './mute-button.tsx'
import { KINDS } from './mute-form.tsx'
import { muteListOptions, muteMutations } from './mute-options.ts'

/** Victims and actors of which a profile does not notify. */
export function MuteCard({ profile }: { profile: { id: string; name: string } }) {
  const query = useQuery(muteListOptions(profile.id))
  const { data } = query
  const list = useRef<HTMLDivElement>(null)
  return (
    <SectionCard
      title="Mutes"
      tools={
        data?.canChange && (
          <MuteButton profiles={[profile]} names={null} subject="a victim or an actor" mutes={data.mutes} />
        )
      }
    >
      {/* Takes the focus from a mute that goes. */}
      <div ref={list} tabIndex={-1} className="focus-visible:-outline-offset-2">
        <LoadedPart query={query} name="the mutes">
          {({ mutes, canChange }) =>
            mutes.length === 0 ? (
              <p className="px-4 py-3 text-muted text-sm">No victim and no actor is muted.</p>
            ) : (
              <ul className="divide-y divide-line">
                {mutes.map((mute) => (
                  <MuteItem
                    key={mute.id}
                    profileId={profile.id}
                    mute={mute}
                    canChange={canChange}
                    onRemoved={() => list.current?.focus()}
                  />
                ))}
              </ul>
            )
          }
        </LoadedPart>
      </div>
    </SectionCard>
  )
}

type MuteItemProps = { profileId: string; mute: Mute; canChange: boolean; onRemoved(): void }

function MuteItem({ profileId, mute, canChange, onRemoved }: MuteItemProps) {
  const { kind, name, reason, until, mutedBy, createdAt, mutedCount } = mute
  const { mutate, isPending, error } = useMutation({
    ...muteMutations(useQueryClient()).unmute,
    onSuccess: onRemoved,
  })
  return (
    <li className="grid gap-1 px-4 py-2.5 text-sm">
      <div className="flex items-start justify-between gap-3">
        <p className="wrap-anywhere min-w-0 font-medium">
          <span className="font-normal text-faint">{KINDS[kind]} </span>
          <Untrusted text={name} maxLength={120} isProse={kind === 'victim'} />
        </p>
        {canChange && (
          <Button
            size="small"
            isBusy={isPending}
            aria-label={`Remove mute of ${visibleLine(name)}`}
            className="max-sm:h-11"
            onClick={() => mutate({ profileId, id: mute.id })}
          >
            Remove
          </Button>
        )}
      </div>
      <p className="wrap-anywhere text-muted text-xs">
        <Untrusted text={reason} maxLength={200} isProse />
      </p>
      <p className="text-faint text-xs">
        {until === null ? (
          'Until removed'
        ) : (
          <>
            Until <Time at={until} />
          </>
        )}
        {' · '}
        {countOf(mutedCount, 'match', 'matches')} muted
        {' · '}
        {mutedBy !== null && (
          <>
            <Untrusted text={mutedBy} maxLength={60} clip="silent" />,{' '}
          </>
        )}
        <Time at={createdAt} />
      </p>
      <ActionError error={error} not="removed" />
    </li>
  )
}
