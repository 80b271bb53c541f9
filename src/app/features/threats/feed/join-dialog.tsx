import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { caseMutations, joinPreviewOptions } from '#app/features/cases/case-options.ts'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { CaseWork, JoinPreview } from '#contract/bff/case.ts'

type JoinDialogProps = {
  ids: readonly string[]
  /** `isJoined`: the cases were joined, and that was not undone. */
  onClose(isJoined: boolean): void
}

const TITLE_MAX_LENGTH = 120
const NAMES_MAX_LENGTH = 200

/** Shows which cases the selected threats belong to, and joins them. */
export function JoinDialog({ ids, onClose }: JoinDialogProps) {
  const preview = useQuery(joinPreviewOptions(ids))
  const { act, undo } = caseMutations(useQueryClient())
  const acting = useMutation(act)
  const undoing = useMutation(undo)
  const undoId = undoing.isSuccess ? null : (acting.data?.undoId ?? null)
  const undoButton = useRef<HTMLButtonElement>(null)
  // The pressed button is gone, and the focus with it.
  useEffect(() => {
    if (undoId !== null) undoButton.current?.focus()
  }, [undoId])
  const join = (revision: number) => {
    undoing.reset()
    acting.mutate({ action: 'join-all', threatIds: [...ids], revision })
  }
  return (
    <Dialog isOpen title="Same victim" onClose={() => onClose(undoId !== null)}>
      <div className="grid gap-4">
        <ActionError error={acting.error} not="joined" />
        <ActionError error={undoing.error} not="undone" />
        <div role="status" className="empty:hidden">
          {undoing.isSuccess && <p className="text-muted">Undone. The cases are separate again.</p>}
          {undoId !== null && (
            <div className="flex items-center justify-between gap-2">
              Joined to one case.
              <Button
                ref={undoButton}
                size="small"
                icon="undo"
                isBusy={undoing.isPending}
                onClick={() => undoing.mutate(undoId)}
              >
                Undo
              </Button>
            </div>
          )}
        </div>
        {undoId === null && (
          <LoadedPart query={preview} name="the cases">
            {(found) => <Cases found={found} isBusy={acting.isPending} onJoin={() => join(found.revision)} />}
          </LoadedPart>
        )}
      </div>
    </Dialog>
  )
}

type CasesProps = { found: JoinPreview; isBusy: boolean; onJoin(): void }

function Cases({ found: { cases, joined }, isBusy, onJoin }: CasesProps) {
  if (cases.length < 2)
    return <p className="text-muted">The selected threats are claims of one case, or not compared yet.</p>
  const claimCount = cases.reduce((sum, each) => sum + each.claimCount, 0)
  return (
    <>
      <p>
        {countOf(cases.length, 'case')} with {countOf(claimCount, 'claim')} will become one case.{' '}
        <Outcome {...joined} />
      </p>
      <ul className="max-h-80 divide-y divide-line overflow-auto rounded-md border border-line px-3">
        {cases.map(({ id, threat, claimCount: claims, ...work }) => (
          <li key={id} className="grid gap-0.5 py-2">
            <span className="wrap-anywhere font-medium">
              <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
            </span>
            <span className="wrap-anywhere text-muted text-xs">
              Case {id} · {countOf(claims, 'claim')} · <Work {...work} />
              {threat.organizations.length > 0 && (
                <>
                  {' · '}
                  <Untrusted
                    text={threat.organizations.join(', ')}
                    maxLength={NAMES_MAX_LENGTH}
                    clip="silent"
                  />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Button variant="primary" className="justify-self-end" isBusy={isBusy} onClick={onJoin}>
        Join cases
      </Button>
    </>
  )
}

/** The state of a case, and its owner. */
function Work({ owner, isClosed }: CaseWork) {
  return (
    <>
      {stateOf({ owner, isClosed })}
      {owner && (
        <>
          , owner <PersonName name={owner} />
        </>
      )}
    </>
  )
}

/** Says who will deal with the joined case. */
function Outcome({ owner, isClosed }: CaseWork) {
  return (
    <>
      {owner ? (
        <>
          All claims get the owner who was chosen last, <PersonName name={owner} />.
        </>
      ) : (
        'No claim has an owner.'
      )}{' '}
      {isClosed
        ? 'All claims are closed, so the joined case is closed, too.'
        : `The status of the joined case will be ${owner ? 'Investigating' : 'New'}. Claims that are closed stay closed.`}
    </>
  )
}

function stateOf({ owner, isClosed }: CaseWork): string {
  return isClosed ? 'closed' : owner ? 'investigating' : 'new'
}
