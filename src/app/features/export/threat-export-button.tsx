import { lazy } from 'react'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import type { ExportQuery } from '#contract/bff/threat-export.ts'

const ThreatExportDialog = lazy(async () => ({
  default: (await import('./threat-export-dialog.tsx')).ThreatExportDialog,
}))

type ThreatExportButtonProps = Pick<Parameters<typeof ExportButton>[0], 'variant'> & { query: ExportQuery }

/** All threats that a query finds as a file. */
export function ThreatExportButton({ query, variant }: ThreatExportButtonProps) {
  return (
    <ExportButton
      variant={variant}
      renderDialog={(close) => <ThreatExportDialog query={query} onClose={close} />}
    />
  )
}
