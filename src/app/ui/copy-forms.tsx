import { defangProse } from '#contract/defang.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { useCopy } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

type CopyFormsProps = {
  /** As it was written. */
  text: string
  /** As it is shown, without a live address; nothing is drawn where both are the same. */
  inert?: string
}

const NAME_MAX_LENGTH = 80
const BUTTON =
  'inline-grid size-6 shrink-0 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink'

/** Copies text that holds addresses: one press defanged; a second choice, as it was written. */
export function CopyForms({ text, inert = defangProse(text) }: CopyFormsProps) {
  const { state, copy } = useCopy()
  if (text === inert) return null
  const name = `Copy ${visibleLine(inert).slice(0, NAME_MAX_LENGTH)}`
  return (
    <>
      <span className="inline-flex shrink-0 self-center">
        <button
          type="button"
          aria-label={name}
          title="Copy defanged"
          className={BUTTON}
          onClick={() => copy(inert)}
        >
          <Icon name={state === 'copied' ? 'check' : 'copy'} className="size-3.5" />
        </button>
        <Menu
          label={`More for ${name}`}
          renderTrigger={(props) => (
            <button
              type="button"
              aria-label={`More ways: ${name}`}
              aria-haspopup="menu"
              title="More ways to copy"
              className={BUTTON}
              {...props}
            >
              <Icon name="chevron-down" className="size-3" />
            </button>
          )}
        >
          <MenuItem icon="copy" onSelect={() => copy(inert)}>
            Copy defanged
          </MenuItem>
          <MenuItem icon="alert" onSelect={() => copy(text)}>
            Copy raw
          </MenuItem>
        </Menu>
      </span>
      <VisuallyHidden role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Could not copy'}
      </VisuallyHidden>
    </>
  )
}
