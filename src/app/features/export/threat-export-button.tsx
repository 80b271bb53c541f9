import { lazy } from 'react'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import type { ExportQuery } from '#contract/bff/threat-export.ts'

const ThreatExportDialog = lazy(async () => ({
  default: (await import('./threat-export-dialog.tsx')).ThreatExportDialog,
}))

type ThreatExportButtonProps = Pick<Parameters<typeof ExportButton>[0], 'variant'> & { question: ExportQuery }

/** All threats of a question as a file. */
export function ThreatExportButton({ question, variant }: ThreatExportButtonProps) {
  return (
    <ExportButton
      variant={variant}
      renderDialog={(close) => <ThreatExportDialog question={question} onClose={close} />}
    />
  )
}
