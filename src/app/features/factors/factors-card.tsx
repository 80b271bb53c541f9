import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { type Factors, type FactorsChanged, RECOVERY_CODE_COUNT } from '#contract/bff/factor.ts'
import { visibleLine } from '#contract/visible-text.ts'
import type { OpenFactor } from './factor-dialog.tsx'
import { factorMutations, factorsOptions } from './factor-options.ts'

// Loaded when it is first opened: it draws QR codes.
const FactorDialog = lazy(async () => ({ default: (await import('./factor-dialog.tsx')).FactorDialog }))

type Passkey = Factors['passkeys'][number]
/** Lists the user's second factors. */
export function FactorsCard() {
  const query = useQuery(factorsOptions())
  const { data } = query
  const isOn = data !== undefined && (data.totp !== null || data.passkeys.length > 0)
  return (
    <SectionCard
      title="Second factor"
      note={data?.hasPassword && <Badge tone={isOn ? 'accent' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      <LoadedPart query={query} name="your second factors" heights={['h-32']}>
        {(factors) =>
          factors.hasPassword ? (
            <FactorList factors={factors} isOn={isOn} />
          ) : (
            <p className="p-4 text-muted text-sm">
              This account signs in by single sign-on: a second factor is set up there.
            </p>
          )
        }
      </LoadedPart>
    </SectionCard>
  )
}

function FactorList({ factors, isOn }: { factors: Factors; isOn: boolean }) {
  const { totp, passkeys, recoveryCodes, isRequired } = factors
  const mutations = factorMutations(useQueryClient())
  const [open, setOpen] = useState<OpenFactor | null>(null)
  const showCodes = ({ recoveryCodes: codes }: FactorsChanged) => setOpen(codes && { kind: 'codes', codes })
  const removeTotp = useMutation(mutations.removeTotp)
  const removePasskey = useMutation(mutations.removePasskey)
  const renewCodes = useMutation({
    ...mutations.renewRecoveryCodes,
    onSettled: (changed) => changed && showCodes(changed),
  })
  const isBusy = removeTotp.isPending || removePasskey.isPending || renewCodes.isPending
  const failure = removeTotp.error ?? removePasskey.error ?? renewCodes.error

  return (
    <>
      <p className="border-line border-b px-4 py-2.5 text-muted text-xs">
        After your password, Lantern asks for a code or a passkey.{' '}
        {isRequired ? 'Your role may not be without.' : 'Whoever learns your password alone stays out.'}
      </p>
      <ActionError error={failure} className="border-line border-b px-4 py-2" />
      <ul className="divide-y divide-line">
        <Row
          name="Authenticator app"
          facts={
            totp ? (
              <>
                Set up on <Time at={totp.createdAt} show="day" />
              </>
            ) : (
              'Shows a new code every 30 seconds'
            )
          }
        >
          {totp ? (
            <AskFirst
              label="Remove"
              accessibleLabel="Remove the authenticator app"
              warning="Codes of the authenticator app are refused from then on."
              confirm="Remove app"
              isBusy={isBusy}
              onConfirm={() => removeTotp.mutate()}
            />
          ) : (
            <Button size="small" onClick={() => setOpen({ kind: 'totp' })}>
              Set up app
            </Button>
          )}
        </Row>
        {passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isBusy={isBusy}
            onRename={() => setOpen({ kind: 'passkey', passkey })}
            onRemove={() => removePasskey.mutate(passkey.id)}
          />
        ))}
        <Row name="Passkeys" facts="Kept by a device, a password manager or a security key">
          <Button icon="plus" size="small" onClick={() => setOpen({ kind: 'passkey' })}>
            Add passkey
          </Button>
        </Row>
        {isOn && (
          <Row
            name="Recovery codes"
            facts={`${recoveryCodes} of ${RECOVERY_CODE_COUNT} left, for when your devices are not at hand`}
          >
            <AskFirst
              label="Make new codes"
              warning="The codes that you have now are refused from then on."
              confirm="Replace codes"
              isBusy={isBusy}
              onConfirm={() => renewCodes.mutate()}
            />
          </Row>
        )}
      </ul>
      {open && (
        <Suspense>
          <FactorDialog open={open} onClose={() => setOpen(null)} onDone={showCodes} />
        </Suspense>
      )}
    </>
  )
}

type PasskeyRowProps = { passkey: Passkey; isBusy: boolean; onRename(): void; onRemove(): void }

function PasskeyRow({ passkey: { name, createdAt, usedAt }, isBusy, onRename, onRemove }: PasskeyRowProps) {
  return (
    <Row
      name={<Untrusted text={name} maxLength={60} clip="silent" isRaw />}
      facts={
        <>
          Passkey, added on <Time at={createdAt} show="day" />
          {usedAt && (
            <>
              , last used <Time at={usedAt} show="age" />
            </>
          )}
        </>
      }
    >
      <Button size="small" variant="quiet" aria-label={`Rename the passkey ${name}`} onClick={onRename}>
        Rename
      </Button>
      <AskFirst
        label="Remove"
        accessibleLabel={`Remove the passkey ${name}`}
        warning={`The passkey “${visibleLine(name)}” is refused from then on.`}
        confirm="Remove passkey"
        isBusy={isBusy}
        onConfirm={onRemove}
      />
    </Row>
  )
}

function Row({ name, facts, children }: { name: ReactNode; facts: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-2 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-sm">{name}</p>
        <p className="text-faint text-xs">{facts}</p>
      </div>
      {children}
    </li>
  )
}
