import { defang } from '#contract/defang.ts'
import { CopyForms } from './copy-forms.tsx'
import { Untrusted } from './untrusted.tsx'

type IndicatorProps = {
  /** An address, domain, email, IP or hash, as the vendor sent it. */
  value: string
}

const MAX_LENGTH = 300

/** All addresses of third parties go through here: defanged, never a link, and copied as the reader chooses. */
export function Indicator({ value }: IndicatorProps) {
  return (
    <span className="inline-flex max-w-full items-baseline gap-1 max-sm:items-center">
      <span dir="ltr" className="min-w-0 font-mono text-[0.925em]">
        <Untrusted text={value} maxLength={MAX_LENGTH} isAddress />
      </span>
      <CopyForms text={value} inert={defang(value)} />
    </span>
  )
}
