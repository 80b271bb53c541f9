import { Button, type ButtonProps } from './button.tsx'
import { useCopy } from './use-copy.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

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
