import type { FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { DateField } from '#app/ui/date-field.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { AUDIT_ACTIONS } from '#contract/bff/audit.ts'
import { areCrossed } from './audit-options.ts'
import { actionWords } from './audit-words.ts'

export type AuditSearch = {
  who?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

type AuditFiltersProps = { search: AuditSearch; onSearch(change: AuditSearch): void }

const NONE: AuditSearch = { who: undefined, action: undefined, from: undefined, to: undefined }

export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch({ who: String(new FormData(event.currentTarget).get('who')).trim() || undefined })
  }
  return (
    <form
      onSubmit={submit}
      className="grid grid-cols-2 items-start gap-3 px-4 py-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <TextField
        key={search.who}
        label="Who"
        name="who"
        icon="search"
        placeholder="part of an email address"
        defaultValue={search.who}
        autoComplete="off"
        spellCheck={false}
        onBlur={(event) => event.target.form?.requestSubmit()}
      />
      <SelectField
        label="What"
        value={search.action ?? ''}
        onChange={(event) => onSearch({ action: event.target.value || undefined })}
      >
        <option value="">Everything</option>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </SelectField>
      <DateField
        label="From"
        value={search.from ?? ''}
        onChange={(event) => onSearch({ from: event.target.value || undefined })}
      />
      <DateField
        label="To"
        hint={areCrossed(search) && 'Before From: read the other way round'}
        value={search.to ?? ''}
        onChange={(event) => onSearch({ to: event.target.value || undefined })}
      />
      <Button
        variant="quiet"
        disabled={!isFiltered}
        onClick={() => onSearch(NONE)}
        className="max-sm:h-11 lg:mt-5"
      >
        Clear
      </Button>
    </form>
  )
}
