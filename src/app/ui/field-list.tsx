import { Untrusted } from './untrusted.tsx'

type FieldListProps = {
  /** Names and values as the vendor reports them. */
  fields: readonly { path: string; value: string }[]
  className?: string
}

const PATH_MAX_LENGTH = 120

/** Lists fields from the vendor that no other part of the page shows. */
export function FieldList({ fields, className = '' }: FieldListProps) {
  return (
    <dl className={`divide-y divide-line text-sm ${className}`}>
      {fields.map(({ path, value }) => (
        <div key={path} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          <dt className="min-w-0 font-mono text-muted text-xs leading-5">
            <Untrusted text={path} maxLength={PATH_MAX_LENGTH} />
          </dt>
          <dd className="min-w-0">
            <Untrusted text={value} multiline isProse />
          </dd>
        </div>
      ))}
    </dl>
  )
}
