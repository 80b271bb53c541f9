import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

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

type CopyButtonProps = ButtonProps & { text: string; label?: string }

const WORDS = { copied: 'Copied', failed: 'Could not copy' } as const

export function CopyButton({
  text,
  label = 'Copy',
  variant = 'secondary',
  size = 'small',
  ...button
}: CopyButtonProps) {
  const { state, copy } = useCopy()
  const words = state === 'idle' ? label : WORDS[state]
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...button}
        icon={state === 'copied' ? 'check' : 'copy'}
        onClick={() => copy(text)}
      >
        {words}
      </Button>
      <VisuallyHidden role="status">{state !== 'idle' && words}</VisuallyHidden>
    </>
  )
}
