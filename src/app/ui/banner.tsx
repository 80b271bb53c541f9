import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

const TONES = {
  info: 'border-line bg-hover text-muted',
  warning: 'border-medium/30 bg-medium/10 text-ink',
  danger: 'border-critical/35 bg-critical/10 text-ink',
} as const

const MARKS = { info: 'text-faint', warning: 'text-medium', danger: 'text-critical' } as const

type BannerProps = { tone?: keyof typeof TONES; children: ReactNode }

/** A slim line across the page that stays while what it says is true. */
export function Banner({ tone = 'info', children }: BannerProps) {
  return (
    <div className={`to-edge flex items-center gap-2 border-b px-4 py-1.5 text-xs sm:px-6 ${TONES[tone]}`}>
      <Icon name={tone === 'info' ? 'info' : 'alert'} className={`size-3.5 ${MARKS[tone]}`} />
      <p>{children}</p>
    </div>
  )
}
