type ColumnChoiceProps = {
  columns: readonly { id: string; label: string }[]
  values: readonly string[]
  onChange(columns: string[]): void
}

/** At least one stays chosen: a file without columns is none. */
export function ColumnChoice({ columns, values, onChange }: ColumnChoiceProps) {
  const toggle = (id: string) => {
    const chosen = columns
      .map((column) => column.id)
      .filter((other) => (other === id ? !values.includes(id) : values.includes(other)))
    if (chosen.length > 0) onChange(chosen)
  }
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Columns</legend>
      <div className="grid grid-cols-2 gap-x-4">
        {columns.map(({ id, label }) => (
          <label
            key={id}
            className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1 hover:bg-hover"
          >
            <input
              type="checkbox"
              checked={values.includes(id)}
              onChange={() => toggle(id)}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
