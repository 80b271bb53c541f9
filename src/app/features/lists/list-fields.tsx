import { Checkbox } from '#app/ui/checkbox.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { LIST_NAME_MAX_LENGTH } from '#contract/bff/list-draft.ts'
import { LIST_KINDS, type ListKind, listKindSchema } from '#contract/bff/list-match.ts'
import { KIND_LABELS } from './list-words.ts'

export type ListFacts = { name: string; kind: ListKind; isShared: boolean }

type ListFieldsProps = {
  facts: ListFacts
  onChange(facts: ListFacts): void
  nameError: string | false
  /** False for an admin who edits the list of somebody else: a private list would be lost to them. */
  canShare: boolean
}

/** Name, kind and sharing of a list. */
export function ListFields({ facts, onChange, nameError, canShare }: ListFieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          data-first-focus
          maxLength={LIST_NAME_MAX_LENGTH}
          value={facts.name}
          error={nameError}
          onChange={(event) => onChange({ ...facts, name: event.target.value })}
        />
        <SelectField
          label="Kind"
          name="kind"
          value={facts.kind}
          onChange={(event) => onChange({ ...facts, kind: listKindSchema.parse(event.target.value) })}
        >
          {LIST_KINDS.map((each) => (
            <option key={each} value={each}>
              {KIND_LABELS[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {canShare && (
        <Checkbox isChecked={facts.isShared} onChange={(isShared) => onChange({ ...facts, isShared })}>
          Share with the team
        </Checkbox>
      )}
    </>
  )
}
