import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { answerProofs } from '#app/api/send-json.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

// A user who has just signed in needs no proof.
const ProofForms = lazy(async () => ({ default: (await import('./proof-forms.tsx')).ProofForms }))

/** Asks whoever sits at an open session to prove that it is theirs, when a change needs that. */
export function ProofDialog() {
  const [isOpen, setIsOpen] = useState(false)
  const waiting = useRef<((isProven: boolean) => void)[]>([])
  const end = (isProven: boolean) => {
    setIsOpen(false)
    for (const tell of waiting.current.splice(0)) tell(isProven)
  }

  useEffect(
    () =>
      answerProofs(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve)
            setIsOpen(true)
          }),
      ),
    [],
  )

  return (
    <Dialog isOpen={isOpen} onClose={() => end(false)} title="Confirm that it is you" size="small">
      <Suspense fallback={<Skeleton className="h-32" />}>
        <ProofForms onProven={() => end(true)} />
      </Suspense>
    </Dialog>
  )
}
