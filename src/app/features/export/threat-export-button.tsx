import { lazy } from 'react'
import type { ButtonProps } from '#app/ui/button.tsx'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import type { ExportQuery } from '#contract/bff/threat-export.ts'

const ThreatExportDialog = lazy(async () => ({
  default: (await import('./threat-export-dialog.tsx')).ThreatExportDialog,
}))

type ThreatExportButtonProps = { query: ExportQuery; variant?: ButtonProps['variant'] }

/** All threats that a query finds as a file. */
export function ThreatExportButton({ query, variant }: ThreatExportButtonProps) {
  return (
    <ExportButton
      variant={variant}
      renderDialog={(close) => <ThreatExportDialog query={query} onClose={close} />}
    />
  )
}
