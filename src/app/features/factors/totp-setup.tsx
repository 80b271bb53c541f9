import { useMutation, useQueryClient } from '@tanstack/react-query'
import encodeQR from 'qr'
import { useEffect, useEffectEvent } from 'react'
import { sendProved } from '#app/api/send-json.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TOTP_CODE } from '#app/ui/totp-code-field.ts'
import { useForm } from '#app/ui/use-form.ts'
import {
  type FactorsChanged,
  factorsChangedSchema,
  type TotpSetup as Setup,
  totpConfirmationSchema,
  totpSetupSchema,
} from '#contract/bff/factor.ts'
import { noteFactors } from './factor-options.ts'

/** An authenticator app is shown the secret, and shows that it has it. */
export function TotpSetup({ onDone }: { onDone(changed: FactorsChanged): void }) {
  const begin = useMutation({ mutationFn: () => sendProved('factors/totp', totpSetupSchema, {}) })
  const start = useEffectEvent(() => begin.mutate())
  useEffect(() => start(), [])

  if (begin.error) return <ErrorPanel error={begin.error} onRetry={() => begin.mutate()} />
  if (!begin.data) return <Skeleton className="h-80" />
  return <TotpForm setup={begin.data} onDone={onDone} />
}

function TotpForm({
  setup: { secret, uri },
  onDone,
}: {
  setup: Setup
  onDone(changed: FactorsChanged): void
}) {
  const confirm = useMutation({
    mutationFn: (code: string) =>
      sendProved('factors/totp', factorsChangedSchema, { method: 'PUT', body: { code } }),
    onSuccess: noteFactors(useQueryClient()),
  })
  const { submit, reasonOf } = useForm({
    schema: totpConfirmationSchema,
    error: confirm.error,
    onSubmit: ({ code }) => confirm.mutate(code, { onSuccess: onDone }),
  })
  const reason = reasonOf('code')

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-muted">
        Scan this with your authenticator app, then enter the code that it shows. Nothing changes before.
      </p>
      <QrCode text={uri} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs">
        <span className="text-muted">
          Or type in this key: <code className="wrap-anywhere font-mono">{inGroups(secret)}</code>
        </span>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <TextField
        label="6-digit code"
        name="code"
        {...TOTP_CODE.input}
        autoFocus
        data-first-focus
        error={reason}
      />
      {!reason && <ActionError error={confirm.error} not="set up" />}
      <Button type="submit" variant="primary" isBusy={confirm.isPending} className="max-sm:h-11">
        Set up
      </Button>
    </form>
  )
}

/** Dark on light in both themes: not every app reads it the other way round. */
function QrCode({ text }: { text: string }) {
  const rows = encodeQR(text, 'raw', { border: 3 })
  const dots = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width="208"
      height="208"
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of the key below"
      className="mx-auto rounded-md"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path fill="#000" d={dots.join('')} />
    </svg>
  )
}

function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}
