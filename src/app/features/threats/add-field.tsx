import { type ComponentProps, memo, useId, useState } from 'react'
import { count } from '#app/format/count.ts'
import { isPick, isPlain } from '#app/ui/suggestion.ts'
import { TextField } from '#app/ui/text-field.tsx'
import type { ThreatFacets } from '#contract/bff/threat-list.ts'

type AddFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  suggestions: ThreatFacets['actor']
  /** False while the counts are of what is stored so far. */
  areCountsWhole: boolean
  onAdd(value: string): void
}

/** Text that becomes one value more on Enter, on leaving the field, or when a suggestion is picked. */
export function AddField({ suggestions, areCountsWhole, onAdd, ...field }: AddFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  const add = (value: string) => {
    setText('')
    if (value.trim()) onAdd(value.trim())
  }

  return (
    <>
      <TextField
        {...field}
        list={id}
        autoComplete="off"
        enterKeyHint="done"
        maxLength={512}
        value={text}
        onChange={({ target, nativeEvent }) =>
          isPick(nativeEvent) ? add(target.value) : setText(target.value)
        }
        onBlur={() => add(text)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') add(text)
          if (key === 'Escape') setText('')
        }}
      />
      <datalist id={id}>
        <Suggestions suggestions={suggestions} areCountsWhole={areCountsWhole} />
      </datalist>
    </>
  )
}

/** Memoised: a press anywhere on the page draws it anew. */
const Suggestions = memo(function Suggestions({
  suggestions,
  areCountsWhole,
}: Pick<AddFieldProps, 'suggestions' | 'areCountsWhole'>) {
  return suggestions
    .filter(({ value }) => isPlain(value))
    .map(({ value, count: times }) => (
      <option key={value} value={value} label={`${count(times)}${areCountsWhole ? '' : ' so far'}`} />
    ))
})
