import { useEffect, useState } from 'react'

const SHOWN_MS = 2000

type CopyState = 'idle' | 'copied' | 'failed'

/** Copies text and remembers for a moment how that went. */
export function useCopy(): { state: CopyState; copy(text: string): Promise<void> } {
  const [state, setState] = useState<CopyState>('idle')

  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  return {
    state,
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text)
        setState('copied')
      } catch {
        setState('failed')
      }
    },
  }
}
