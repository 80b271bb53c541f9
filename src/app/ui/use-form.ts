import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'

type FormOptions<Values> = {
  schema: z.ZodMiniType<Values>
  /** Error of the last submission; null without one. */
  error: Error | null
  onSubmit(values: Values, form: HTMLFormElement): void
}

/** Reads a form by a schema. What is wrong stands at its field, and the first such field gets the focus. */
export function useForm<Values>({ schema, error, onSubmit }: FormOptions<Values>) {
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const read = schema.safeParse(Object.fromEntries(new FormData(form)))
    const issues = read.error?.issues ?? []
    const [first] = issues
    setFaults(new Map(issues.map(({ path, message }) => [String(path[0]), message])))
    if (read.success) onSubmit(read.data, form)
    else form.querySelector<HTMLElement>(`[name=${String(first?.path[0])}]`)?.focus()
  }
  const reasonOf = (field: string) => faults.get(field) ?? fieldReason(error, field)
  return { submit, reasonOf }
}

const refusalSchema = z.object({
  problem: z.object({ fields: z.array(z.object({ name: z.string(), reason: z.string() })) }),
})

/** Returns the server's reason for refusing one field, or undefined if the error is about something else. */
export function fieldReason(error: unknown, name: string): string | undefined {
  const refusal = refusalSchema.safeParse(error)
  return refusal.data?.problem.fields.find((field) => field.name === name)?.reason
}
