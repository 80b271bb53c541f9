import { Button } from '#app/ui/button.tsx'
import { Popover } from '#app/ui/popover.tsx'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { DisplayPanel } from './display-panel.tsx'

type DisplayButtonProps = { search: ThreatSearch; onChange: ChangeSearch }

/** Which columns a list has, in which order and how wide, and how high its rows are. */
export function DisplayButton({ search, onChange }: DisplayButtonProps) {
  return (
    <Popover
      label="Display"
      align="end"
      className="w-80"
      // Loads the panel's script before the first choice needs it.
      onToggle={() => import('./arranged-rows.tsx')}
      renderTrigger={(props) => (
        <Button variant="quiet" icon="settings" className="max-sm:h-11" {...props}>
          <span className="max-sm:sr-only">Display</span>
        </Button>
      )}
    >
      <DisplayPanel search={search} onChange={onChange} />
    </Popover>
  )
}
