import { visibleLine } from '#app/format/visible-text.ts'
import { defang } from '#contract/defang.ts'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Untrusted } from './untrusted.tsx'
import { useCopy } from './use-copy.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

type IndicatorProps = {
  /** An address, domain, e-mail, IP or hash, as the vendor sent it. */
  value: string
}

const MAX_LENGTH = 300
const NAME_MAX_LENGTH = 80
const BUTTON =
  'inline-grid size-6 shrink-0 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink'

/** All addresses of third parties go through here: defanged, never a link. One press copies it defanged; a second choice, raw. */
export function Indicator({ value }: IndicatorProps) {
  const { state, copy } = useCopy()
  const shown = defang(value)
  const name = `Copy ${visibleLine(shown).slice(0, NAME_MAX_LENGTH)}`

  return (
    <span className="inline-flex max-w-full items-baseline gap-1">
      <span dir="ltr" className="min-w-0 font-mono text-[0.925em]">
        <Untrusted text={shown} maxLength={MAX_LENGTH} />
      </span>
      <span className="inline-flex shrink-0 self-center">
        <button
          type="button"
          aria-label={name}
          title="Copy defanged"
          className={BUTTON}
          onClick={() => copy(shown)}
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
          <MenuItem icon="alert" onSelect={() => copy(value)}>
            Copy raw
          </MenuItem>
        </Menu>
      </span>
      <VisuallyHidden role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Could not copy'}
      </VisuallyHidden>
    </span>
  )
}
