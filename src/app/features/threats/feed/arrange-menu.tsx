import { Button } from '#app/ui/button.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import {
  GROUP_ORDERS,
  GROUPINGS,
  groupingSchema,
  groupOrderSchema,
  isNewestFirst,
  orderOf,
  orderSchema,
  SORTS,
  sortSchema,
} from '#contract/bff/arrangement.ts'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { GROUP_LABELS, GROUP_ORDER_LABELS, ORDER_LABELS, SORT_LABELS } from './arrangement-labels.ts'

type ArrangeMenuProps = { search: ThreatSearch; onChange: ChangeSearch }

/** How the list stands, in words, and all that it can be sorted and grouped by: also where its columns have no heads. */
export function ArrangeMenu({ search, onChange }: ArrangeMenuProps) {
  const { sort = 'published', group, groupOrder = 'value' } = search
  const order = orderOf(search)
  const words = ORDER_LABELS[sort]
  const sorted = sort === 'published' ? words[order] : `${SORT_LABELS[sort]} ${order === 'asc' ? '↑' : '↓'}`
  const grouped = group && `${GROUP_LABELS[group]}${groupOrder === 'size' ? ', largest first' : ''}`
  const summary = grouped ? `${grouped} · ${sorted}` : sorted
  const isUsual = isNewestFirst(search)
  return (
    <Popover
      label="Sort and group"
      align="end"
      className="w-60"
      renderTrigger={(props) => (
        <Button
          aria-label={`Sort and group: ${summary}`}
          className={`min-w-0 max-w-64 shrink! max-sm:size-11 ${isUsual ? '' : 'text-accent!'}`}
          {...props}
        >
          <span aria-hidden="true">⇅</span>
          <span className="max-sm:sr-only min-w-0 truncate">{isUsual ? 'Sort' : summary}</span>
        </Button>
      )}
    >
      <div className="grid gap-3 p-3">
        <SelectField
          label="Sort by"
          value={sort}
          onChange={({ target }) => {
            const by = sortSchema.parse(target.value)
            onChange({ sort: by === 'published' ? undefined : by, order: undefined })
          }}
        >
          {SORTS.map((each) => (
            <option key={each} value={each}>
              {SORT_LABELS[each]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Order"
          value={order}
          onChange={({ target }) => {
            const turned = orderSchema.parse(target.value)
            onChange({ order: turned === orderOf({ sort }) ? undefined : turned })
          }}
        >
          <option value="desc">{words.desc}</option>
          <option value="asc">{words.asc}</option>
        </SelectField>
        <SelectField
          label="Group by"
          value={group ?? ''}
          onChange={({ target }) => {
            const by = target.value === '' ? undefined : groupingSchema.parse(target.value)
            onChange({ group: by, ...(!by && { groupOrder: undefined }) })
          }}
        >
          <option value="">No groups</option>
          {GROUPINGS.map((each) => (
            <option key={each} value={each}>
              {GROUP_LABELS[each]}
            </option>
          ))}
        </SelectField>
        {group && (
          <SelectField
            label="Group order"
            value={groupOrder}
            onChange={({ target }) => {
              const by = groupOrderSchema.parse(target.value)
              onChange({ groupOrder: by === 'value' ? undefined : by })
            }}
          >
            {GROUP_ORDERS.map((each) => (
              <option key={each} value={each}>
                {GROUP_ORDER_LABELS[group][each]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </Popover>
  )
}
