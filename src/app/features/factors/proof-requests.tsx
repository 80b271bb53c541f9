import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { answerProofs } from '#app/api/send-json.ts'

// Loaded with the first request: a user who has just signed in needs no proof.
const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }))

/** Requests a fresh proof from the user when a change needs it. The change waits until the dialog is closed. */
export function ProofRequests() {
  const [isOpen, setIsOpen] = useState(false)
  const [isLoaded, setIsLoaded] = useState(false)
  const waiting = useRef<((isProven: boolean) => void)[]>([])
  const end = (isProven: boolean) => {
    setIsOpen(false)
    for (const resolve of waiting.current.splice(0)) resolve(isProven)
  }

  useEffect(
    () =>
      answerProofs(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve)
            setIsLoaded(true)
            setIsOpen(true)
          }),
      ),
    [],
  )

  return <Suspense>{isLoaded && <ProofDialog isOpen={isOpen} onEnd={end} />}</Suspense>
}
