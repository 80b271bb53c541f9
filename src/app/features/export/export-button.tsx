import { lazy, Suspense, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import type { ExportQuery } from '#contract/bff/threat-export.ts'

// Not on the way to the first page: fetched when first opened.
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** Everything that the feed lists, as a file. */
export function ExportButton({ question }: { question: ExportQuery }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        icon="download"
        aria-haspopup="dialog"
        className="max-sm:h-10"
        onClick={() => setIsOpen(true)}
      >
        <span className="max-sm:sr-only">Export</span>
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog question={question} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
