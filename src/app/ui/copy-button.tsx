import { Button, type ButtonProps } from './button.tsx'
import { useCopy } from './use-copy.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

type CopyButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className'> & { text: string; label?: string }

const WORDS = { copied: 'Copied', failed: 'Could not copy' } as const

export function CopyButton({
  text,
  label = 'Copy',
  variant = 'secondary',
  size = 'small',
  className,
}: CopyButtonProps) {
  const { state, copy } = useCopy()
  const words = state === 'idle' ? label : WORDS[state]
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...(className && { className })}
        icon={state === 'copied' ? 'check' : 'copy'}
        onClick={() => copy(text)}
      >
        {words}
      </Button>
      <VisuallyHidden role="status">{state !== 'idle' && words}</VisuallyHidden>
    </>
  )
}
