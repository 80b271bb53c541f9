import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'

type CategoryFieldProps = {
  values: readonly string[]
  error?: ReactNode
  onChange(values: string[]): void
}

/** A further condition. None ticked is any. */
export function CategoryField({ values, error, onChange }: CategoryFieldProps) {
  const id = useId()
  const { data: source } = useQuery(sourceOptions())
  // All that may be ticked, as far as anyone knows.
  const all = [...new Set([...(source?.categories ?? []), ...values])]
  const toggle = (category: string) => {
    onChange(values.includes(category) ? values.filter((each) => each !== category) : [...values, category])
  }
  return (
    <fieldset aria-labelledby={id} aria-describedby={`${id}-note`} className="grid min-w-0 gap-1">
      <legend id={id} className="mb-1 font-medium text-muted text-xs">
        Categories
      </legend>
      <div className="flex flex-wrap gap-1.5">
        {all.map((category, index) => (
          <label
            key={category}
            className="flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm hover:bg-hover has-checked:border-accent/50 has-checked:bg-accent/10 max-sm:h-11"
          >
            <input
              type="checkbox"
              name={index === 0 ? 'categories' : undefined}
              checked={values.includes(category)}
              onChange={() => toggle(category)}
            />
            <span className="min-w-0 truncate">
              <Untrusted text={category} maxLength={60} clip="silent" />
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={`text-xs ${error ? 'text-critical' : 'text-faint'}`}>
        {error ??
          (values.length === 0 ? 'None ticked: threats of any category.' : 'Selected categories only')}
      </p>
    </fieldset>
  )
}
